import { ExpressAuth } from "auth-package"

export default ExpressAuth({
  providers: [],
  callbacks: {
    jwt({ token, trigger, session }) {
      if (trigger === "update" && session.user) token.name = session.user.name
      return { ...token, ...session }
    },
  },
})
