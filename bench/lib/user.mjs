// @ts-check

/** The user who is signed in at every server. */
export const user = { id: "u1", name: "Ada Lovelace", email: "ada@example.com" }

/** What every guarded route answers to this user, to the byte. */
export const expectedBody = JSON.stringify({ name: user.name })
