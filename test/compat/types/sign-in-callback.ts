import { ExpressAuth } from "auth-package"

export default ExpressAuth({
  providers: [],
  callbacks: {
    async signIn({ user, account, profile, credentials, email }) {
      if (account?.provider === "google") return profile?.email_verified === true
      if (email?.verificationRequest) return "/check-your-mail"
      return Boolean(user.email ?? credentials?.username)
    },
    redirect({ url, baseUrl }) {
      if (url.startsWith("/")) return `${baseUrl}${url}`
      return new URL(url).origin === baseUrl ? url : baseUrl
    },
  },
})
