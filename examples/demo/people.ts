/** Somebody who can sign in to the demo, through the local OpenID provider or with a password. */
export interface Person {
  readonly username: string
  readonly name: string
  readonly email: string
  readonly picture: string
  readonly role: "admin" | "user"
  /** Shown on the home page. A real application stores only a hash, and never shows it. */
  readonly password: string
}

export const people: readonly Person[] = [
  {
    username: "ada",
    name: "Ada Lovelace",
    email: "ada@example.com",
    picture: draw("AL", "#6d28d9"),
    role: "admin",
    password: "engine",
  },
  {
    username: "grace",
    name: "Grace Hopper",
    email: "grace@example.com",
    picture: draw("GH", "#0f766e"),
    role: "user",
    password: "compiler",
  },
]

// As a data: address the picture needs no network, and it is small enough for a session cookie.
function draw(initials: string, colour: string): string {
  const svg =
    `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 64 64'><rect width='64' height='64' fill='${colour}'/>` +
    `<text x='32' y='41' font-family='sans-serif' font-size='25' fill='white' text-anchor='middle'>${initials}</text></svg>`
  return `data:image/svg+xml,${svg.replace(/[<># ]/g, encodeURIComponent)}`
}
