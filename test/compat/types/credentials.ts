import { CredentialsSignin } from "@auth/core/errors"
import Credentials from "@auth/core/providers/credentials"
import { ExpressAuth } from "auth-package"

class Locked extends CredentialsSignin {
  code = "locked"
}

export default ExpressAuth({
  providers: [
    Credentials({
      credentials: { username: { label: "User name" }, password: { label: "Password", type: "password" } },
      async authorize(credentials, request) {
        if (credentials.password !== "correct") throw new Locked()
        return { id: "42", name: credentials.username as string, image: new URL(request.url).origin }
      },
    }),
  ],
})
