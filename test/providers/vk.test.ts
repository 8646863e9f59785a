import { describe, expect, it } from "@jest/globals"
import type { AuthConfig } from "../../src/core/config/config.js"
import { mergeProvider, resolveProvider, type OAuthProvider } from "../../src/core/engine/providers.js"
import { customFetch } from "../../src/core/symbols.js"
import type { TokenSet } from "../../src/core/types.js"
import type { OAuthConfig } from "../../src/providers/kinds.js"
import VK, { type VkProfile, type VkUserConfig } from "../../src/providers/vk.js"

const minimal: VkProfile = {
  id: 210700286,
  first_name: "Lindsey",
  last_name: "Stirling",
  is_closed: false,
  can_access_closed: true,
  photo_100: "https://sun.test/100.jpg",
}

function resolve(options: VkUserConfig<VkProfile> = {}): OAuthProvider {
  return resolveProvider(mergeProvider(VK(options)) as OAuthConfig) as OAuthProvider
}

describe("addresses", () => {
  it("carry API version 5.126 by default", () => {
    const { authorization, token, userinfo } = resolve()

    expect(authorization.url?.href).toBe("https://oauth.vk.com/authorize")
    expect(authorization.params).toEqual({ response_type: "code", v: "5.126", scope: "email" })
    expect(token.url?.href).toBe("https://oauth.vk.com/access_token?v=5.126")
    expect(userinfo.url?.href).toBe("https://api.vk.com/method/users.get?fields=photo_100&v=5.126")
  })

  it("are replaced completely by the options", () => {
    const { authorization, token, userinfo } = resolve({
      authorizationUrl: "https://login.test/authorize?response_type=code&v=5.199",
      accessTokenUrl: "https://login.test/access_token?v=5.199",
      profileUrl: "https://api.test/method/users.get?fields=photo_max&v=5.199",
    })

    expect(authorization.url?.href).toBe("https://login.test/authorize")
    expect(authorization.params).toEqual({ response_type: "code", v: "5.199", scope: "email" })
    expect(token.url?.href).toBe("https://login.test/access_token?v=5.199")
    expect(userinfo.url?.href).toBe("https://api.test/method/users.get?fields=photo_max&v=5.199")
  })

  it("leave the others alone when one is replaced", () => {
    const { authorization, token, userinfo } = resolve({ profileUrl: "https://api.test/users.get" })

    expect(authorization.params).toMatchObject({ v: "5.126" })
    expect(token.url?.href).toBe("https://oauth.vk.com/access_token?v=5.126")
    expect(userinfo.url?.href).toBe("https://api.test/users.get")
  })

  it("take requestTokenUrl as the token endpoint", () => {
    const { token } = resolve({ requestTokenUrl: "https://login.test/request?v=5.199" })

    expect(token.url?.href).toBe("https://login.test/request?v=5.199")
  })

  it("prefer accessTokenUrl to requestTokenUrl", () => {
    const { token } = resolve({
      requestTokenUrl: "https://login.test/request?v=5.199",
      accessTokenUrl: "https://login.test/access?v=5.199",
    })

    expect(token.url?.href).toBe("https://login.test/access?v=5.199")
  })

  it.each([
    "https://login.test/authorize?scope=email,friends",
    "https://login.test/authorize?v=5.199&scope=email,friends",
  ])("keep the scope that an own authorizationUrl has: %s", (authorizationUrl) => {
    expect(resolve({ authorizationUrl }).authorization.params).toMatchObject({ scope: "email,friends" })
  })

  it("give way to the endpoints that every provider takes", () => {
    const { authorization, token } = resolve({
      authorization: { params: { scope: "email friends" } },
      token: { url: "https://login.test/token" },
    })

    expect(authorization.params).toEqual({ response_type: "code", v: "5.126", scope: "email friends" })
    expect(token.url?.href).toBe("https://login.test/token")
  })
})

describe("protection", () => {
  it("is state without PKCE, which VK refuses", () => {
    expect(VK().checks).toEqual(["state"])
    expect(resolve().checks).toEqual({ pkce: false, nonce: false })
  })

  it("sends the client secret in the body", () => {
    expect(resolve({ clientId: "id", clientSecret: "secret" })).toMatchObject({
      clientId: "id",
      clientSecret: "secret",
      client: { token_endpoint_auth_method: "client_secret_post" },
    })
  })
})

describe("token response", () => {
  const tokens = { access_token: "token", expires_in: 86400, user_id: 210700286, email: "lindsey@mail.test" }

  async function conform(response: Response): Promise<Response | undefined> {
    return (await resolve().token.conform?.(response)) ?? undefined
  }

  it("gets the token type that VK left out, and keeps the rest", async () => {
    const conforming = await conform(Response.json(tokens))

    expect(conforming?.status).toBe(200)
    expect(conforming?.headers.get("content-type")).toBe("application/json")
    expect(await conforming?.json()).toEqual({ ...tokens, token_type: "bearer" })
  })

  it.each([
    ["has a token type", Response.json({ ...tokens, token_type: "Bearer" })],
    ["is an error", Response.json({ error: "invalid_grant" }, { status: 401 })],
    ["is not JSON", new Response("<html>")],
    ["is JSON, but no object", Response.json("token")],
  ])("stays as it is when it %s", async (_case, response) => {
    expect(await conform(response)).toBeUndefined()
  })
})

describe("userinfo", () => {
  interface Call {
    readonly request: Request
    readonly init: RequestInit | undefined
  }

  function answering(response: Response): { readonly send: typeof fetch; readonly calls: readonly Call[] } {
    const calls: Call[] = []
    const send: typeof fetch = (input, init) => {
      calls.push({ request: new Request(input, init), init })
      return Promise.resolve(response)
    }
    return { send, calls }
  }

  async function request(
    send: typeof fetch,
    tokens: TokenSet = {},
    options: VkUserConfig<VkProfile> = {},
  ): Promise<unknown> {
    const { userinfo, config } = resolve({ ...options, [customFetch]: send })
    return (await userinfo.request?.({ tokens: { access_token: "token", ...tokens }, provider: config })) as unknown
  }

  it("asks with the access token and a user agent", async () => {
    const { send, calls } = answering(Response.json({ response: [minimal] }))

    await request(send)

    expect(calls).toHaveLength(1)
    const [{ request: sent }] = calls as readonly [Call]
    expect(sent.method).toBe("GET")
    expect(sent.url).toBe("https://api.vk.com/method/users.get?fields=photo_100&v=5.126")
    expect(sent.headers.get("authorization")).toBe("Bearer token")
    expect(sent.headers.get("user-agent")).toBe("latchkey")
  })

  it("asks at profileUrl", async () => {
    const { send, calls } = answering(Response.json({ response: [minimal] }))

    await request(send, {}, { profileUrl: "https://api.test/users.get?v=5.199" })

    expect(calls.map(({ request: { url } }) => url)).toEqual(["https://api.test/users.get?v=5.199"])
  })

  it("uses a fetch that stands under the same symbol of another package", async () => {
    const { send, calls } = answering(Response.json({ response: [minimal] }))
    const options = { [Symbol("custom-fetch")]: send } as VkUserConfig<VkProfile>
    const { userinfo, config } = resolve(options)

    await userinfo.request?.({ tokens: { access_token: "token" }, provider: config })

    expect(calls).toHaveLength(1)
  })

  it("takes the first person of the answer, and the e-mail address from the tokens", async () => {
    const { send } = answering(Response.json({ response: [minimal, { ...minimal, id: 2 }] }))

    expect(await request(send, { email: "lindsey@mail.test" })).toEqual({ ...minimal, email: "lindsey@mail.test" })
  })

  it("leaves the e-mail address open when the person did not allow it", async () => {
    const { send } = answering(Response.json({ response: [minimal] }))

    expect(await request(send)).toEqual({ ...minimal, email: undefined })
  })

  it("fails on an error that comes with status 200, and names its code only", async () => {
    const error = { error_code: 5, error_msg: "User authorization failed: token", request_params: [{ key: "code" }] }
    const { send } = answering(Response.json({ error }))

    await expect(request(send)).rejects.toThrow(/^VK answered with error 5$/)
  })

  it("fails on an answer about nobody", async () => {
    const { send } = answering(Response.json({ response: [] }))

    await expect(request(send)).rejects.toThrow("VK answered without a profile")
  })

  it("fails on a refusal, and names neither token nor query", async () => {
    const { send } = answering(Response.json({ response: [minimal] }, { status: 503 }))

    await expect(request(send)).rejects.toThrow(/^api\.vk\.com answered 503 at \/method\/users\.get$/)
  })
})

describe("profile", () => {
  it("becomes a user", async () => {
    expect(await VK().profile?.({ ...minimal, email: "lindsey@mail.test" }, {})).toEqual({
      id: "210700286",
      name: "Lindsey Stirling",
      email: "lindsey@mail.test",
      image: "https://sun.test/100.jpg",
    })
  })

  it("becomes a user without an e-mail address", async () => {
    expect(await VK().profile?.(minimal, {})).toMatchObject({ email: null })
  })

  it.each([
    [{ first_name: "Lindsey", last_name: "" }, "Lindsey"],
    [{ first_name: "", last_name: "Stirling" }, "Stirling"],
    [{ first_name: "", last_name: "" }, ""],
  ])("joins what there is of a name: %j", async (names, name) => {
    expect(await VK().profile?.({ ...minimal, ...names }, {})).toMatchObject({ name })
  })
})

/** Every member present: the compiler refuses this when one is missing, or of another type. */
type Full<T> = T extends readonly (infer Item)[]
  ? Full<Item>[]
  : T extends object
    ? { [K in keyof T]-?: Full<T[K]> }
    : T

const full: Full<VkProfile> = {
  ...minimal,
  about: "Violinist",
  activities: "music",
  bdate: "21.9.1986",
  books: "many",
  deactivated: "",
  domain: "lindseystirling",
  email: "lindsey@mail.test",
  games: "none",
  home_town: "Gilbert",
  interests: "dance",
  maiden_name: "",
  movies: "few",
  music: "all",
  nickname: "",
  photo_id: "210700286_456239017",
  quotes: "",
  screen_name: "lindseystirling",
  site: "https://lindsey.test",
  status: "on tour",
  tv: "",
  blacklisted: 0,
  blacklisted_by_me: 0,
  can_post: 0,
  can_see_all_posts: 1,
  can_see_audio: 1,
  can_send_friend_request: 1,
  can_write_private_message: 0,
  has_mobile: 1,
  has_photo: 1,
  is_favorite: 0,
  is_friend: 0,
  is_hidden_from_feed: 0,
  is_no_index: 0,
  online: 1,
  online_mobile: 0,
  trending: 0,
  verified: 1,
  first_name_abl: "Lindsey",
  first_name_acc: "Lindsey",
  first_name_dat: "Lindsey",
  first_name_gen: "Lindsey",
  first_name_ins: "Lindsey",
  first_name_nom: "Lindsey",
  last_name_abl: "Stirling",
  last_name_acc: "Stirling",
  last_name_dat: "Stirling",
  last_name_gen: "Stirling",
  last_name_ins: "Stirling",
  last_name_nom: "Stirling",
  common_count: 0,
  followers_count: 400000,
  online_app: 2274003,
  timezone: -7,
  photo_50: "https://sun.test/50.jpg",
  photo_200: "https://sun.test/200.jpg",
  photo_200_orig: "https://sun.test/200o.jpg",
  photo_400: "https://sun.test/400.jpg",
  photo_400_orig: "https://sun.test/400o.jpg",
  photo_max: "https://sun.test/max.jpg",
  photo_max_orig: "https://sun.test/maxo.jpg",
  friend_status: 3,
  relation: 8,
  sex: 1,
  wall_default: "owner",
  career: {
    city_id: 1,
    city_name: "Gilbert",
    company: "Bridgetone",
    country_id: 9,
    from: 2010,
    group_id: 1,
    position: "violinist",
    until: 2020,
  },
  city: { id: 5331, title: "Los Angeles" },
  connections: { facebook: "1", instagram: "l", livejournal: "l", skype: "l", twitter: "l" },
  contacts: { home_phone: "", mobile_phone: "" },
  counters: {
    albums: 1,
    audios: 1,
    followers: 1,
    friends: 1,
    groups: 1,
    mutual_friends: 1,
    notes: 1,
    online_friends: 1,
    pages: 1,
    photos: 1,
    user_videos: 1,
    videos: 1,
  },
  country: { id: 9, title: "USA" },
  crop_photo: {
    crop: { x: 0, x2: 100, y: 0, y2: 100 },
    rect: { x: 10, x2: 90, y: 10, y2: 90 },
    photo: {
      access_key: "key",
      album_id: -6,
      can_comment: 0,
      date: 1400000000,
      has_tags: false,
      height: 604,
      id: 456239017,
      images: [{ height: 75, type: "s", url: "https://sun.test/s.jpg", width: 75 }],
      lat: 34.05,
      long: -118.24,
      owner_id: 210700286,
      photo_256: "https://sun.test/256.jpg",
      place: "Los Angeles",
      post_id: 1,
      sizes: [{ height: 75, src: "https://sun.test/s.jpg", type: "s", url: "https://sun.test/s.jpg", width: 75 }],
      text: "",
      user_id: 100,
      width: 604,
    },
  },
  education: { faculty: 1, faculty_name: "Film", graduation: 2015, university: 1, university_name: "BYU" },
  exports: { facebook: 1, instagram: 0, livejournal: 0, twitter: 1 },
  last_seen: { time: 1500000000, platform: 7 },
  military: { country_id: 9, from: 2004, unit: "1", unit_id: 1, until: 2006 },
  occupation: { id: 1, name: "Bridgetone", type: "work" },
  personal: {
    alcohol: 1,
    inspired_by: "music",
    langs: ["English"],
    life_main: 8,
    people_main: 6,
    political: 9,
    religion: "",
    smoking: 5,
  },
  relation_partner: {
    id: 2,
    first_name: "Sam",
    last_name: "Doe",
    can_access_closed: true,
    deactivated: "",
    hidden: 1,
    is_closed: false,
  },
  relatives: [{ id: 3, name: "Jo", type: "sibling" }],
  schools: [
    {
      city: 1,
      class: "a",
      country: 9,
      id: "1",
      name: "Mesquite",
      speciality: "",
      type: 1,
      type_str: "school",
      year_from: 2000,
      year_graduated: 2004,
      year_to: 2004,
    },
  ],
  status_audio: {
    access_key: "key",
    album_id: 1,
    artist: "Lindsey Stirling",
    date: 1400000000,
    duration: 251,
    genre_id: 1,
    id: 1,
    owner_id: 1,
    performer: "Lindsey Stirling",
    title: "Crystallize",
    url: "https://sun.test/1.mp3",
  },
  universities: [
    {
      chair: 1,
      chair_name: "Film",
      city: 1,
      country: 9,
      education_form: "full-time",
      education_status: "alumna",
      faculty: 1,
      faculty_name: "Arts",
      graduation: 2015,
      id: 1,
      name: "BYU",
      university_group_id: 1,
    },
  ],
}

describe("types", () => {
  it("accept a profile with every field", async () => {
    const profile: VkProfile = full

    expect(await VK().profile?.(profile, {})).toMatchObject({ id: "210700286", email: "lindsey@mail.test" })
  })

  it("refuse a profile without a required field, and numbers that mean nothing", () => {
    const { photo_100: _photo, ...incomplete } = minimal
    // @ts-expect-error -- photo_100 is required
    const withoutPhoto: VkProfile = incomplete
    // @ts-expect-error -- flags are 0 or 1
    const flagged: VkProfile = { ...minimal, verified: 2 }
    // @ts-expect-error -- relation ends at 8
    const related: VkProfile = { ...minimal, relation: 9 }

    expect([withoutPhoto, flagged, related]).toHaveLength(3)
  })

  it("let an application map a profile of its own, and name the provider bare", () => {
    interface OwnProfile extends VkProfile {
      age: number
    }
    const own = VK<OwnProfile>({ profile: ({ id, age }) => ({ id: String(id), name: `${age}` }) })
    const providers: AuthConfig["providers"] = [VK, VK({ clientId: "id" }), own]

    expect(providers).toHaveLength(3)
  })
})
