import { describe, expect, it } from "@jest/globals"
import { JWTSessionError } from "../../../src/core/errors.js"
import type { SessionAccess } from "../../../src/core/sessions/strategy.js"
import type { JWT } from "../../../src/core/types.js"
import { at, cookiesAfter, day, isoAfter, issuedClaims, maxAge, sessionCookie, setting, setUp, start } from "./setup.js"

const visit: SessionAccess = { kind: "visit" }
const touch: SessionAccess = { kind: "touch" }
const update = (data: unknown): SessionAccess => ({ kind: "update", data })
const every: readonly SessionAccess[] = [visit, touch, update({ a: 1 })]

const ann = { name: "Ann", email: "ann@x.example", image: "p" }

describe("a request without a session", () => {
  it.each(every)("has none on $kind, and sets no cookie", async (access) => {
    const { sessions, logger } = setUp()

    expect(await sessions.read(at({}), access)).toEqual({ session: null, cookies: [] })
    expect(await sessions.read(at({ [setting.name]: "", other: "x" }), access)).toEqual({ session: null, cookies: [] })
    expect(logger.errors).toEqual([])
  })
})

/** The same cookie as clients may write it: at a glance each value but the first is not the token, to a parser all are. */
const spellings: readonly (readonly [spelling: string, header: (name: string, token: string) => string])[] = [
  ["plainly", (name, token) => `${name}=${token}`],
  ["with a space after it", (name, token) => `a=b; ${name}=${token} ; c=d`],
  ["with a tab after it", (name, token) => `${name}=${token}\t`],
  ["with a space before it", (name, token) => `${name}= ${token}`],
]

describe("a visit at a glance", () => {
  it.each(spellings)("finds the cookie written %s, as a parser does", async (_spelling, header) => {
    const given = setUp()
    // The keys are derived when the token is sealed.
    const token = (await sessionCookie(given))[setting.name] ?? ""

    expect(await given.sessions.visit(header(setting.name, token), setting)).toMatchObject({
      session: { user: ann },
      cookies: [],
    })
  })
})

describe("a visit", () => {
  it("shows the session as it stands, and sets no cookie", async () => {
    const given = setUp()
    const cookies = await sessionCookie(given)
    given.clock.now += (day - 1) * 1000

    const read = await given.sessions.read(at(cookies), visit)

    expect(read).toMatchObject({ session: { user: ann, expires: isoAfter(maxAge) }, cookies: [] })
  })

  it("prolongs the session once updateAge has passed, and then not before it has passed again", async () => {
    const given = setUp()
    let cookies = await sessionCookie(given)

    given.clock.now += day * 1000
    const due = await given.sessions.read(at(cookies), visit)
    expect(due.session?.expires).toBe(isoAfter(day + maxAge))
    expect(due.cookies).toEqual([
      {
        name: setting.name,
        value: expect.any(String),
        options: { ...setting.options, expires: new Date((start + day + maxAge) * 1000) },
      },
    ])
    expect(await issuedClaims(given, due.cookies)).toMatchObject({
      sub: "1",
      iat: start + day,
      exp: start + day + maxAge,
    })

    cookies = cookiesAfter(due.cookies, cookies)
    given.clock.now += (day - 1) * 1000
    expect((await given.sessions.read(at(cookies), visit)).cookies).toEqual([])
    given.clock.now += 1000
    expect((await given.sessions.read(at(cookies), visit)).cookies).toHaveLength(1)
  })

  it("prolongs the session each time when updateAge is 0", async () => {
    const given = setUp({ updateAge: 0 })

    expect((await given.sessions.read(at(await sessionCookie(given)), visit)).cookies).toHaveLength(1)
  })

  it("prolongs the session at once when the jwt callback changed the claims", async () => {
    const state: { role?: string } = {}
    const given = setUp({
      callbacks: { jwt: ({ token }) => (state.role === undefined ? token : { ...token, role: state.role }) },
    })
    let cookies = await sessionCookie(given)
    expect((await given.sessions.read(at(cookies), visit)).cookies).toEqual([])

    state.role = "admin"
    const changed = await given.sessions.read(at(cookies), visit)
    expect(await issuedClaims(given, changed.cookies)).toMatchObject({ sub: "1", role: "admin" })
    expect(changed.session?.expires).toBe(isoAfter(maxAge))

    cookies = cookiesAfter(changed.cookies, cookies)
    expect((await given.sessions.read(at(cookies), visit)).cookies).toEqual([])
  })

  it("notices when the callback wrote into the claims that it got", async () => {
    const given = setUp({
      callbacks: {
        jwt: ({ token }) => {
          token["count"] = Number(token["count"] ?? 0) + 1
          return token
        },
      },
    })
    const cookies = await sessionCookie(given)

    for (const _time of [1, 2]) {
      const { cookies: written } = await given.sessions.read(at(cookies), visit)
      expect(await issuedClaims(given, written)).toMatchObject({ count: 1 })
    }
  })

  it("notices claims that the callback removed", async () => {
    const given = setUp({ callbacks: { jwt: ({ token: { picture: _picture, ...rest } }) => rest } })

    const { cookies, session } = await given.sessions.read(at(await sessionCookie(given)), visit)

    expect(session?.user).toEqual({ name: "Ann", email: "ann@x.example" })
    expect(await issuedClaims(given, cookies)).not.toHaveProperty("picture")
  })

  it("does not prolong for what the session callback returns", async () => {
    const given = setUp({ callbacks: { session: ({ session }) => ({ ...session, extra: Math.random() }) } })

    expect((await given.sessions.read(at(await sessionCookie(given)), visit)).cookies).toEqual([])
  })
})

describe("a touch", () => {
  it("prolongs the session each time", async () => {
    const given = setUp()
    const cookies = await sessionCookie(given)
    given.clock.now += 1000

    const { session, cookies: written } = await given.sessions.read(at(cookies), touch)

    expect(session?.expires).toBe(isoAfter(1 + maxAge))
    expect(written.map(({ name }) => name)).toEqual([setting.name])
    expect(written[0]?.options.expires).toEqual(new Date((start + 1 + maxAge) * 1000))
    expect(await issuedClaims(given, written)).toMatchObject({ sub: "1", iat: start + 1, exp: start + 1 + maxAge })
  })

  it("gives the token another id", async () => {
    const given = setUp()
    const cookies = await sessionCookie(given)

    const { cookies: written } = await given.sessions.read(at(cookies), touch)

    expect(written[0]?.value).not.toBe(cookies[setting.name])
  })

  it("expires the chunks that the token no longer needs", async () => {
    const given = setUp({ callbacks: { jwt: ({ token: { bulk: _bulk, ...rest } }) => rest } })
    const fat = setUp()
    const account = { provider: "p", providerAccountId: "1", type: "oauth" } as const
    const created = await setUp({
      callbacks: { jwt: ({ token }) => ({ ...token, bulk: "x".repeat(8000) }) },
    }).sessions.create(at({}), { user: { id: "1", name: "Ann" }, account })
    const cookies = cookiesAfter(created)
    expect(Object.keys(cookies)).toEqual([0, 1, 2].map((index) => `${setting.name}.${index}`))
    expect((await fat.sessions.read(at(cookies), visit)).session?.user?.name).toBe("Ann")

    const { cookies: written } = await given.sessions.read(at(cookies), touch)

    expect(Object.keys(cookiesAfter(written, cookies))).toEqual([setting.name])
  })
})

describe("an update", () => {
  it("hands the client's data to the jwt callback, and keeps what that returns", async () => {
    const given = setUp({
      callbacks: {
        jwt: ({ token, session }) => ({ ...token, name: (session as { readonly name: string }).name }),
      },
    })

    const { session, cookies } = await given.sessions.read(at(await sessionCookie(given)), update({ name: "Anna" }))

    expect(session?.user?.name).toBe("Anna")
    expect(await issuedClaims(given, cookies)).toMatchObject({ name: "Anna", sub: "1" })
  })

  it.each([{ name: "Eve", sub: "2", exp: 9e9, user: { id: "2" } }, "text", ["a"], null, undefined, 1])(
    "with %j changes nothing without a callback",
    async (data) => {
      const given = setUp()

      const { session, cookies } = await given.sessions.read(at(await sessionCookie(given)), update(data))

      expect(session).toEqual({ user: ann, expires: isoAfter(maxAge) })
      expect(await issuedClaims(given, cookies)).toEqual({
        name: "Ann",
        email: "ann@x.example",
        picture: "p",
        sub: "1",
        iat: start,
        exp: start + maxAge,
        jti: expect.any(String),
      })
    },
  )

  it("does not let a callback set the times and the id of the token", async () => {
    const given = setUp({ callbacks: { jwt: ({ token, session }) => ({ ...token, ...(session as object) }) } })
    const data = { exp: 9e9, iat: 1, jti: "mine" }

    const { cookies } = await given.sessions.read(at(await sessionCookie(given)), update(data))

    expect(await issuedClaims(given, cookies)).toMatchObject({ iat: start, exp: start + maxAge })
    expect((await issuedClaims(given, cookies)).jti).not.toBe("mine")
  })
})

describe("callbacks and events", () => {
  it.each([
    [visit, { token: expect.objectContaining({ sub: "1" }) }],
    [touch, { token: expect.objectContaining({ sub: "1" }) }],
    [update({ a: [1] }), { token: expect.objectContaining({ sub: "1" }), session: { a: [1] }, trigger: "update" }],
  ])("get on $kind what the contract says, and nothing more", async (access, expected) => {
    const jwtCalls: unknown[] = []
    const sessionCalls: unknown[] = []
    const given = setUp({
      callbacks: {
        jwt: (params) => {
          jwtCalls.push(structuredClone(params))
          return { ...params.token, role: "admin" }
        },
        session: (params) => {
          sessionCalls.push(structuredClone(params))
          return { ...params.session, role: params.token["role"] }
        },
      },
    })

    const read = await given.sessions.read(at(await sessionCookie(given)), access)

    const claims = { name: "Ann", email: "ann@x.example", picture: "p", sub: "1", iat: start, exp: start + maxAge }
    expect(jwtCalls).toEqual([expected])
    expect(jwtCalls).toEqual([{ ...expected, token: { ...claims, jti: expect.any(String) } }])
    const token = { ...claims, jti: expect.any(String), role: "admin" }
    const session = { user: ann, expires: isoAfter(maxAge) }
    expect(sessionCalls).toEqual([{ session, token }])
    expect(read).toMatchObject({ session: { ...session, role: "admin" } })
    expect(read.session === null ? undefined : read.event).toEqual({ session: { ...session, role: "admin" }, token })
  })

  it("get on update the data even when it is undefined, with the trigger", async () => {
    const calls: unknown[] = []
    const given = setUp({
      callbacks: {
        jwt: (params) => {
          calls.push(params)
          return params.token
        },
      },
    })
    await given.sessions.read(at(await sessionCookie(given)), update(undefined))

    expect(calls).toEqual([{ token: expect.any(Object), session: undefined, trigger: "update" }])
  })

  it("see null where the token says null, and nothing where it says nothing", async () => {
    const given = setUp()
    const cookies = await sessionCookie(given, { name: "Ann", picture: null, sub: "1" })

    const { session } = await given.sessions.read(at(cookies), visit)

    expect(JSON.parse(JSON.stringify(session))).toEqual({
      user: { name: "Ann", image: null },
      expires: isoAfter(maxAge),
    })
  })

  it("may be slow", async () => {
    const given = setUp({
      callbacks: {
        jwt: async ({ token }) => Promise.resolve(token),
        session: async ({ session }) => Promise.resolve({ ...session, slow: true }),
      },
    })

    expect(await given.sessions.read(at(await sessionCookie(given)), visit)).toMatchObject({ session: { slow: true } })
  })
})

describe("null from the jwt callback", () => {
  it.each(every)("signs out on $kind", async (access) => {
    const given = setUp({ callbacks: { jwt: () => null } })
    const cookies = { ...(await sessionCookie(given)), [`${setting.name}.0`]: "stale", other: "x" }

    const read = await given.sessions.read(at(cookies), access)

    expect(read).toEqual({
      session: null,
      cookies: [
        { name: setting.name, value: "", options: { ...setting.options, maxAge: 0 } },
        { name: `${setting.name}.0`, value: "", options: { ...setting.options, maxAge: 0 } },
      ],
    })
    expect(given.logger.errors).toEqual([])
  })
})

describe("a cookie that cannot be opened", () => {
  const bad: readonly (readonly [string, string])[] = [
    ["rubbish", "x"],
    ["broken percent-encoding", "%E0%A4%A"],
    ["a hundred dots", ".".repeat(100)],
    ["non-ASCII characters", "é"],
    ["3 KB of noise", "q7".repeat(1500)],
  ]

  it.each(bad)("that is %s is logged once and expired, and nobody is signed in", async (_what, value) => {
    for (const access of every) {
      const given = setUp()

      const read = await given.sessions.read(at({ [setting.name]: value, other: "x" }), access)

      expect(read).toEqual({
        session: null,
        cookies: [{ name: setting.name, value: "", options: { ...setting.options, maxAge: 0 } }],
      })
      expect(given.logger.errors).toEqual([expect.any(JWTSessionError)])
      expect(given.logger.errors[0]?.cause).toEqual({ err: expect.any(Error) })
    }
  })

  it("is not quoted in the log", async () => {
    const given = setUp()
    await given.sessions.read(at({ [setting.name]: "hunter2.hunter2" }), visit)

    const [error] = given.logger.errors
    expect(JSON.stringify([error?.message, error?.stack, error?.cause])).not.toContain("hunter2")
  })

  it.each<readonly [string, (given: ReturnType<typeof setUp>) => Promise<Record<string, string>>]>([
    [
      "expired",
      async (given) => ({
        [setting.name]: await given.keys.seal({ sub: "1" }, setting.name, start - maxAge - 16, maxAge),
      }),
    ],
    [
      "sealed with another secret",
      async () => ({ [setting.name]: await setUp({ secrets: ["x"] }).keys.seal({}, setting.name, start, maxAge) }),
    ],
    [
      "sealed for another cookie",
      async (given) => ({ [setting.name]: await given.keys.seal({ sub: "1" }, "__Secure-authjs.state", start, 900) }),
    ],
    [
      "sealed as state",
      async (given) => ({ [setting.name]: await given.keys.seal({ random: "x" }, "encodedState", start, 900) }),
    ],
    [
      "sealed for the cookie of a plain address",
      async (given) => ({ [setting.name]: await given.keys.seal({ sub: "1" }, "authjs.session-token", start, maxAge) }),
    ],
  ])("because it was %s is no session", async (_what, make) => {
    const given = setUp()

    const read = await given.sessions.read(at(await make(given)), visit)

    expect(read.session).toBeNull()
    expect(read.cookies).toHaveLength(1)
    expect(given.logger.errors).toHaveLength(1)
  })

  it("never reaches the callbacks", async () => {
    const calls: unknown[] = []
    const record = (params: { readonly token: JWT }) => {
      calls.push(params)
      return params.token
    }
    const given = setUp({ callbacks: { jwt: record } })
    await given.sessions.read(at({ [setting.name]: "x" }), update({ a: 1 }))

    expect(calls).toEqual([])
  })
})

describe("chunks", () => {
  it("of a flood of cookies are no session, and few are expired", async () => {
    const given = setUp()
    const flood = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`${setting.name}.${index}`, "a"]))

    const read = await given.sessions.read(at(flood), visit)

    expect(read.session).toBeNull()
    expect(read.cookies.length).toBeLessThanOrEqual(12)
  })

  it("beside a good session do not disturb it", async () => {
    const given = setUp()
    const cookies = { ...(await sessionCookie(given)), [`${setting.name}-evil`]: "zzz", [`${setting.name}.9`]: "zzz" }

    const read = await given.sessions.read(at(cookies), touch)

    expect(read.session?.user).toEqual(ann)
    expect(read.cookies.map(({ name }) => name)).not.toContain(`${setting.name}-evil`)
  })
})

describe("a callback that throws", () => {
  const down = new Error("database is down")
  const fail = () => Promise.reject(down)

  it.each([
    ["jwt", { jwt: fail }],
    ["session", { session: fail }],
  ])("makes reading fail: %s", async (_name, callbacks) => {
    for (const access of every) {
      const given = setUp({ callbacks })

      const failed: unknown = await given.sessions
        .read(at(await sessionCookie(given)), access)
        .catch((error: unknown) => error)

      expect(failed).toBeInstanceOf(JWTSessionError)
      expect(failed).toMatchObject({ type: "JWTSessionError", status: 500, cause: { err: down } })
    }
  })

  it("makes reading fail at once, not later", async () => {
    const given = setUp({
      callbacks: {
        jwt: () => {
          throw down
        },
      },
    })

    await expect(given.sessions.read(at(await sessionCookie(given)), visit)).rejects.toBeInstanceOf(JWTSessionError)
    expect(given.logger.errors).toEqual([])
  })

  it("may throw anything", async () => {
    const given = setUp({
      callbacks: {
        session: () => {
          // eslint-disable-next-line @typescript-eslint/only-throw-error -- what an application may do
          throw "down"
        },
      },
    })

    await expect(given.sessions.read(at(await sessionCookie(given)), visit)).rejects.toMatchObject({
      type: "JWTSessionError",
      cause: { err: { message: expect.stringContaining("down") as unknown } },
    })
  })

  it("makes reading fail when it makes the token too large", async () => {
    const given = setUp({ callbacks: { jwt: ({ token }) => ({ ...token, bulk: "x".repeat(60_000) }) } })

    await expect(given.sessions.read(at(await sessionCookie(given)), visit)).rejects.toBeInstanceOf(JWTSessionError)
  })
})
