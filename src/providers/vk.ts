/**
 * VK, for applications of its OAuth 2 server. Those registered with VK ID speak another protocol.
 * @see https://id.vk.com/about/business/go/docs/ru/vkid/latest/oauth-vkontakte/authcode-flow-user
 */
import type { OAuthConfig, OAuthUserConfig } from "./kinds.js"
import { getJson, type UserinfoContext } from "./user-info.js"

/** City or country. */
export interface VkPlace {
  id: number
  title: string
}

export interface VkCareer {
  city_id?: number
  city_name?: string
  company?: string
  country_id?: number
  from?: number
  group_id?: number
  position?: string
  until?: number
}

/** Accounts with other services. */
export interface VkConnections {
  facebook?: string
  instagram?: string
  livejournal?: string
  skype?: string
  twitter?: string
}

export interface VkContacts {
  home_phone?: string
  mobile_phone?: string
}

export interface VkCounters {
  albums?: number
  audios?: number
  followers?: number
  friends?: number
  groups?: number
  mutual_friends?: number
  notes?: number
  online_friends?: number
  pages?: number
  photos?: number
  user_videos?: number
  videos?: number
}

export interface VkEducation {
  faculty?: number
  faculty_name?: string
  graduation?: number
  university?: number
  university_name?: string
}

/** Services to which posts are exported. */
export interface VkExports {
  facebook?: number
  instagram?: number
  livejournal?: number
  twitter?: number
}

export interface VkLastSeen {
  /** Seconds since the epoch. */
  time?: number
  /** 1 mobile site, 2 iPhone, 3 iPad, 4 Android, 5 Windows Phone, 6 Windows 10, 7 full site. */
  platform?: 1 | 2 | 3 | 4 | 5 | 6 | 7
}

export interface VkMilitary {
  country_id: number
  from?: number
  unit: string
  unit_id: number
  until?: number
}

export interface VkOccupation {
  id?: number
  name?: string
  type?: "work" | "school" | "university"
}

/** Views and beliefs. `alcohol` and `smoking` go from 1, very negative, to 5, positive. */
export interface VkPersonal {
  alcohol?: 1 | 2 | 3 | 4 | 5
  inspired_by?: string
  langs?: string[]
  life_main?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8
  people_main?: 1 | 2 | 3 | 4 | 5 | 6
  political?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9
  religion?: string
  smoking?: 1 | 2 | 3 | 4 | 5
}

export interface VkRelationPartner {
  id: number
  first_name: string
  last_name: string
  can_access_closed?: boolean
  deactivated?: string
  hidden?: number
  is_closed?: boolean
}

export interface VkRelative {
  id: number
  name: string
  type: "parent" | "child" | "grandparent" | "grandchild" | "sibling"
}

export interface VkSchool {
  city?: number
  class?: string
  country?: number
  id?: string
  name?: string
  speciality?: string
  type?: number
  type_str?: string
  year_from?: number
  year_graduated?: number
  year_to?: number
}

export interface VkUniversity {
  chair?: number
  chair_name?: string
  city?: number
  country?: number
  education_form?: string
  education_status?: string
  faculty?: number
  faculty_name?: string
  graduation?: number
  id?: number
  name?: string
  university_group_id?: number
}

/** The piece of music in somebody's status. */
export interface VkStatusAudio {
  access_key?: string
  album_id?: number
  artist: string
  date?: number
  duration: number
  genre_id?: number
  id: number
  owner_id: number
  performer?: string
  title: string
  url?: string
}

/** Two opposite corners, in per cent of the picture's width and height. */
export interface VkRectangle {
  x: number
  x2: number
  y: number
  y2: number
}

export interface VkPhotoImage {
  height?: number
  type?: string
  url?: string
  width?: number
}

export interface VkPhotoSize {
  height: number
  src?: string
  type: string
  url: string
  width: number
}

/** @see https://dev.vk.com/en/reference/objects/photo */
export interface VkPhoto {
  access_key?: string
  album_id: number
  can_comment?: 0 | 1
  date: number
  has_tags: boolean
  height?: number
  id: number
  images?: VkPhotoImage[]
  lat?: number
  long?: number
  owner_id: number
  photo_256?: string
  place?: string
  post_id?: number
  sizes?: VkPhotoSize[]
  text?: string
  user_id?: number
  width?: number
}

/** The picture that the profile's pictures are cut from, and where. */
export interface VkCropPhoto {
  crop: VkRectangle
  photo: VkPhoto
  rect: VkRectangle
}

/**
 * Only what the `fields` parameter of `profileUrl` names is there, beside the required ones.
 * @see https://dev.vk.com/en/reference/objects/user
 */
export interface VkProfile {
  id: number
  first_name: string
  last_name: string
  is_closed: boolean
  can_access_closed: boolean
  photo_100: string

  about?: string
  activities?: string
  /** Birthday as `D.M.YYYY`, or `D.M` when the year is hidden. */
  bdate?: string
  books?: string
  /** `deleted` or `banned`, when the page is. */
  deactivated?: string
  domain?: string
  /** Comes with the tokens, when the person allowed it. */
  email?: string
  games?: string
  home_town?: string
  interests?: string
  maiden_name?: string
  movies?: string
  music?: string
  nickname?: string
  photo_id?: string
  quotes?: string
  screen_name?: string
  site?: string
  status?: string
  tv?: string

  blacklisted?: 0 | 1
  blacklisted_by_me?: 0 | 1
  can_post?: 0 | 1
  can_see_all_posts?: 0 | 1
  can_see_audio?: 0 | 1
  can_send_friend_request?: 0 | 1
  can_write_private_message?: 0 | 1
  has_mobile?: 0 | 1
  has_photo?: 0 | 1
  is_favorite?: 0 | 1
  is_friend?: 0 | 1
  is_hidden_from_feed?: 0 | 1
  is_no_index?: 0 | 1
  online?: 0 | 1
  online_mobile?: 0 | 1
  trending?: 0 | 1
  verified?: 0 | 1

  first_name_abl?: string
  first_name_acc?: string
  first_name_dat?: string
  first_name_gen?: string
  first_name_ins?: string
  first_name_nom?: string
  last_name_abl?: string
  last_name_acc?: string
  last_name_dat?: string
  last_name_gen?: string
  last_name_ins?: string
  last_name_nom?: string

  common_count?: number
  followers_count?: number
  online_app?: number
  /** Hours from UTC. */
  timezone?: number

  photo_50?: string
  photo_200?: string
  photo_200_orig?: string
  photo_400?: string
  photo_400_orig?: string
  photo_max?: string
  photo_max_orig?: string

  /** 0 strangers, 1 asked by the viewer, 2 asked by this person, 3 friends. */
  friend_status?: 0 | 1 | 2 | 3
  /** 0 unsaid, 1 single, 2 in a relationship, 3 engaged, 4 married, 5 complicated, 6 searching, 7 in love, 8 civil union. */
  relation?: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8
  /** 0 unsaid, 1 female, 2 male. */
  sex?: 0 | 1 | 2
  wall_default?: "all" | "owner"

  career?: VkCareer
  city?: VkPlace
  connections?: VkConnections
  contacts?: VkContacts
  counters?: VkCounters
  country?: VkPlace
  crop_photo?: VkCropPhoto
  education?: VkEducation
  exports?: VkExports
  last_seen?: VkLastSeen
  military?: VkMilitary
  occupation?: VkOccupation
  personal?: VkPersonal
  relation_partner?: VkRelationPartner
  relatives?: VkRelative[]
  schools?: VkSchool[]
  status_audio?: VkStatusAudio
  universities?: VkUniversity[]
}

/** The four addresses carry the version of VK's API as `v`, so another version takes all of them anew. */
export interface VkUserConfig<P> extends OAuthUserConfig<P> {
  /**
   * Where people sign in: an absolute address, with every parameter but `scope`, which stays `email` unless it is there.
   * Default `https://oauth.vk.com/authorize?response_type=code&v=5.126`.
   */
  authorizationUrl?: string
  /** The token endpoint, an absolute address. Default `requestTokenUrl`. */
  accessTokenUrl?: string
  /** The token endpoint if `accessTokenUrl` is left out. Default `https://oauth.vk.com/access_token?v=5.126`. */
  requestTokenUrl?: string
  /**
   * The API method that tells who signed in, an absolute address.
   * Default `https://api.vk.com/method/users.get?fields=photo_100&v=5.126`.
   */
  profileUrl?: string
}

const apiVersion = "5.126"

export default function VK<P extends VkProfile>(options: VkUserConfig<P> = {}): OAuthConfig<P> {
  const {
    authorizationUrl = `https://oauth.vk.com/authorize?response_type=code&v=${apiVersion}`,
    requestTokenUrl = `https://oauth.vk.com/access_token?v=${apiVersion}`,
    accessTokenUrl = requestTokenUrl,
    profileUrl = `https://api.vk.com/method/users.get?fields=photo_100&v=${apiVersion}`,
  } = options

  return {
    id: "vk",
    name: "VK",
    type: "oauth",
    authorization: {
      url: authorizationUrl,
      params: /[?&]scope=/.test(authorizationUrl) ? {} : { scope: "email" },
    },
    token: { url: accessTokenUrl, conform: addTokenType },
    userinfo: {
      url: profileUrl,
      request: fetchProfile,
    },
    client: { token_endpoint_auth_method: "client_secret_post" },
    // VK refuses PKCE: "Code challenge method is unsupported".
    checks: ["state"],
    profile({ id, first_name, last_name, email, photo_100 }) {
      const name = [first_name, last_name].filter(Boolean).join(" ")
      return { id: String(id), name, email: email ?? null, image: photo_100 }
    },
    style: { bg: "#07F", text: "#fff" },
    options,
  }
}

/** VK leaves `token_type` out at times, which RFC 6749, section 5.1 requires. */
async function addTokenType(response: Response): Promise<Response | undefined> {
  if (response.status !== 200) return undefined
  // What is not JSON is not mended; the client refuses it.
  const tokens: unknown = await response.json().catch(() => undefined)
  if (typeof tokens !== "object" || tokens === null || "token_type" in tokens) return undefined
  return Response.json({ ...tokens, token_type: "bearer" })
}

/** @see https://dev.vk.com/en/reference/errors */
interface UsersGetAnswer {
  readonly response?: readonly VkProfile[]
  readonly error?: { readonly error_code: number; readonly error_msg: string }
}

async function fetchProfile(context: UserinfoContext): Promise<VkProfile> {
  const { tokens, provider } = context
  const { response, error } = (await getJson(context, provider.userinfo.url)) as UsersGetAnswer
  // Errors come with status 200, and their text may repeat the request's parameters.
  if (error) throw new Error(`VK answered with error ${error.error_code}`)
  const profile = response?.[0]
  if (!profile) throw new Error("VK answered without a profile")
  return { ...profile, email: typeof tokens["email"] === "string" ? tokens["email"] : undefined }
}
