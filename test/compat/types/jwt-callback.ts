import { ExpressAuth } from "auth-package"

export default ExpressAuth({
  providers: [],
  callbacks: {
    jwt({ token, user, account, profile, trigger, isNewUser }) {
      if (user) token.id = user.id
      if (account) token.accessToken = account.access_token
      if (profile?.email) token.email = profile.email
      if (trigger === "signUp" || isNewUser) token.isNew = true
      return token
    },
  },
})
