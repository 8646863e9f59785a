/** A person, in the shapes in which vendors tell of them: whatever a published `profile` looks for is in here. */

const picture = "https://pictures.example/7"
const email = "Ann@vendor.example"
const names = {
  name: "Ann Other",
  display_name: "Ann Other",
  displayName: "Ann Other",
  username: "ann",
  first_name: "Ann",
}

const person = {
  id: "7",
  sub: "7",
  ...names,
  last_name: "Other",
  preferred_username: "ann",
  email,
  picture,
  avatar_url: picture,
  image_url: picture,
}

const anybody = {
  ...person,
  account_id: "7",
  user_id: "7",
  user: { ...person, id: "7", profilePicture: picture },
  guid: "7",
  login: "ann",
  ID: "7",
  First_Name: "Ann",
  Last_Name: "Other",
  ZUID: "7",
  Email: email,
  image: { link: picture },
  links: { avatar: { href: picture } },
  emailAddress: email,
  coreAttributes: { Avatar: { value: { value: "AQID" } } },
  emails: [{ email, primary: true, verified: true }],
  Response: { bungieNetUser: { membershipId: "7", displayName: "Ann Other", profilePicturePath: "/7.png" } },
  discriminator: "0",
  avatar: "abc",
  openid: "7",
  unionid: "7",
  nickname: "Ann",
  headimgurl: picture,
  sso_hash: "7",
  images: [{ url: picture }],
  ids: { slug: "ann" },
  raw_attributes: { picture },
  metadata: { login: { login_id: "7" } },
  ocs: { data: { id: "7", displayname: "Ann Other", email } },
  bot: { owner: { user: { id: "7", name: "Ann Other", avatar_url: picture, person: { email } } } },
  data: {
    ...person,
    user: { open_id: "7", display_name: "Ann Other", avatar_url: picture },
    attributes: { full_name: "Ann Other", email, image_url: picture },
    profile_image_url: picture,
  },
  response: {
    ...person,
    profile_image: picture,
    user: {
      id: "7",
      firstName: "Ann",
      lastName: "Other",
      contact: { email },
      photo: { prefix: "https://p/", suffix: "/7" },
    },
  },
}

/** Where one vendor's shape rules out another's. */
const particularly = {
  "azure-ad-b2c": { emails: [email] },
  facebook: { picture: { data: { url: picture } } },
  eveonline: { CharacterID: 7, CharacterName: "Ann Other" },
  hubspot: { user: email },
  mailchimp: { login: { login_id: "7", login_name: "Ann Other", login_email: email } },
  vk: { response: [{ id: 7, first_name: "Ann", last_name: "Other", photo_100: picture }] },
  trakt: { images: { avatar: { full: picture } } },
  yandex: { emails: [email], default_email: email },
  webex: { emails: [email] },
}

/** What the vendor of a published provider tells of somebody. */
export function profileFrom(name) {
  return { ...anybody, ...particularly[name] }
}
