/** GitHub. @see https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps */
import type { Profile } from "../core/types.js"
import type { OAuthConfig, OAuthUserConfig } from "./kinds.js"
import { getJson, type UserinfoContext } from "./user-info.js"

/** @see https://docs.github.com/en/rest/users/users#get-the-authenticated-user */
export interface GitHubProfile extends Omit<Profile, "id" | "name" | "email" | "updated_at"> {
  login: string
  id: number
  node_id: string
  avatar_url: string
  html_url: string
  type: string
  site_admin: boolean
  name: string | null
  company: string | null
  blog: string | null
  location: string | null
  email: string | null
  hireable: boolean | null
  bio: string | null
  twitter_username?: string | null | undefined
  public_repos: number
  public_gists: number
  followers: number
  following: number
  created_at: string
  updated_at: string
  two_factor_authentication?: boolean | undefined
}

/** @see https://docs.github.com/en/rest/users/emails#list-email-addresses-for-the-authenticated-user */
export interface GitHubEmail {
  email: string
  primary: boolean
  verified: boolean
  visibility: "public" | "private" | null
}

export interface GitHubUserConfig<P> extends OAuthUserConfig<P> {
  /** A GitHub Enterprise Server, such as `https://github.example.com`. */
  enterprise?: { readonly baseUrl?: string } | undefined
}

export default function GitHub<P extends GitHubProfile>(options: GitHubUserConfig<P> = {}): OAuthConfig<P> {
  const baseUrl = options.enterprise?.baseUrl ?? "https://github.com"
  const apiBaseUrl = options.enterprise?.baseUrl ? `${baseUrl}/api/v3` : "https://api.github.com"

  return {
    id: "github",
    name: "GitHub",
    type: "oauth",
    // GitHub sends `iss` with its answers (RFC 9207); it has no discovery document.
    issuer: `${baseUrl}/login/oauth`,
    authorization: { url: `${baseUrl}/login/oauth/authorize`, params: { scope: "read:user user:email" } },
    token: { url: `${baseUrl}/login/oauth/access_token`, conform: conformRefusal },
    userinfo: {
      url: `${apiBaseUrl}/user`,
      request: (context: UserinfoContext) => fetchProfile(context, apiBaseUrl),
    },
    profile({ id, name, login, email, avatar_url }) {
      return { id: String(id), name: name ?? login, email, image: avatar_url }
    },
    style: { bg: "#24292f", text: "#fff" },
    options,
  }
}

/** GitHub refuses with status 200, and has a code of its own for a code that was used (RFC 6749, section 5.2). */
async function conformRefusal(response: Response): Promise<Response | undefined> {
  const body: unknown = await response.json().catch(() => undefined)
  if (typeof body !== "object" || body === null || !("error" in body)) return undefined
  const error = body.error === "bad_verification_code" ? "invalid_grant" : body.error
  return Response.json({ ...body, error }, { status: 400 })
}

async function fetchProfile(context: UserinfoContext, api: string): Promise<GitHubProfile> {
  const profile = (await getJson(context, `${api}/user`)) as GitHubProfile
  return profile.email ? profile : { ...profile, email: await primaryEmail(context, api) }
}

/** Whoever hides their address in the profile still has one. Without leave to see it, they sign in without. */
async function primaryEmail(context: UserinfoContext, api: string): Promise<string | null> {
  try {
    const emails = (await getJson(context, `${api}/user/emails`)) as readonly GitHubEmail[]
    // An address that nobody has proved is no e-mail address of theirs.
    const verified = emails.filter((each) => each.verified)
    return (verified.find(({ primary }) => primary) ?? verified[0])?.email ?? null
  } catch (error) {
    if (isRefusal(error)) return null
    throw error
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof Error && "status" in error && [401, 403, 404].includes(Number(error.status))
}
