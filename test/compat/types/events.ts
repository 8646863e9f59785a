import { ExpressAuth } from "auth-package"

export default ExpressAuth({
  providers: [],
  events: {
    async signIn({ user, account, profile, isNewUser }) {
      console.log(user.id, account?.type, profile?.sub, isNewUser)
    },
    signOut(message) {
      if ("token" in message) console.log(message.token?.sub)
      else console.log(message.session?.userId)
    },
    session({ session, token }) {
      console.log(session.expires, token.sub)
    },
    createUser: ({ user }) => console.log(user.email),
    linkAccount: ({ user, account }) => console.log(user.id, account.provider),
  },
  logger: {
    error: (error) => console.error(error.name, error.message),
    warn: (code) => console.warn(code),
    debug: (message, metadata) => console.debug(message, metadata),
  },
  pages: { signIn: "/login", error: "/oops", newUser: "/welcome" },
  theme: { colorScheme: "dark", brandColor: "#123456", logo: "/logo.svg", buttonText: "#fff" },
  cookies: { sessionToken: { name: "sid", options: { sameSite: "strict", domain: ".app.example" } } },
})
