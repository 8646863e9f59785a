import { customFetch } from "@auth/core"
import GitHub from "@auth/core/providers/github"
import Google from "@auth/core/providers/google"
import { ExpressAuth } from "auth-package"

export default ExpressAuth({
  secret: ["new", "old"],
  trustHost: true,
  providers: [
    GitHub,
    GitHub({ clientId: "id", clientSecret: "secret", [customFetch]: fetch }),
    Google({
      allowDangerousEmailAccountLinking: true,
      authorization: { params: { prompt: "consent", access_type: "offline" } },
      profile: (profile) => ({ id: profile.sub, name: profile.given_name, email: profile.email }),
    }),
    {
      id: "own",
      name: "Own",
      type: "oidc",
      issuer: "https://id.vendor.example",
      clientId: "id",
      checks: ["pkce", "state"],
      client: { token_endpoint_auth_method: "client_secret_post" },
      style: { brandColor: "#123456" },
    },
    {
      id: "other",
      name: "Other",
      type: "oauth",
      authorization: "https://id.vendor.example/authorize",
      token: { url: "https://id.vendor.example/token", conform: (response: Response) => response },
      userinfo: "https://id.vendor.example/me",
      profile: async (profile: { key: string }) => ({ id: profile.key }),
    },
  ],
})
