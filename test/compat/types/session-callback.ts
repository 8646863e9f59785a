import { ExpressAuth } from "auth-package"

export default ExpressAuth({
  providers: [],
  session: { strategy: "jwt", maxAge: 3600, updateAge: 60 },
  callbacks: {
    session({ session, token }) {
      session.user.id = token.sub ?? ""
      return { ...session, accessToken: token.accessToken }
    },
  },
})
