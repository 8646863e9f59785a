import { describe, expect, it } from "@jest/globals"
import fc from "fast-check"
import { absoluteUrl, parseTarget, sameOriginRedirect, withQuery } from "../../../src/core/http/redirects.js"

const baseUrl = "https://app.example"
const redirect = (url: string, base = baseUrl) => sameOriginRedirect({ url, baseUrl: base })

/** What must hold of every place that a browser is sent to. */
function expectOnOrigin(result: string, base = baseUrl): void {
  const { origin, pathname, username, password } = new URL(result)
  expect(origin).toBe(base)
  expect(pathname).toMatch(/^\/(?![/\\])/)
  expect(username + password).toBe("")
  expect(result).not.toMatch(/[\u0000-\u0020\u007f\\]/)
}

const foreignAddresses = [
  "https://evil.example",
  "http://evil.example",
  "https://evil.example:443/",
  "https://evil.example/https://app.example",
  "https://evil.example?https://app.example",
  "https://evil.example\\.app.example",
  "//evil.example",
  "https:evil.example",
  "https:/evil.example",
  "https:\\\\evil.example",
  "HTTPS://EVIL.EXAMPLE",
]

/** Refused ones, and what becomes of those that are paths of our own after all. */
const pathTricks: readonly (readonly [url: string, result: string])[] = [
  ["//evil.example", baseUrl],
  ["///evil.example", baseUrl],
  ["////evil.example", baseUrl],
  ["/\\evil.example", baseUrl],
  ["\\/evil.example", baseUrl],
  ["\\\\evil.example", baseUrl],
  ["/\\/evil.example", baseUrl],
  ["/\t/evil.example", baseUrl],
  ["/\n/evil.example", baseUrl],
  ["\t//evil.example", baseUrl],
  [" //evil.example", baseUrl],
  ["/%09/evil.example", `${baseUrl}/%09/evil.example`],
  ["/%5cevil.example", `${baseUrl}/%5cevil.example`],
  ["/%2f%2fevil.example", `${baseUrl}/%2f%2fevil.example`],
  ["/.//evil.example", baseUrl],
  ["/..//evil.example", baseUrl],
  ["/x/..//evil.example", baseUrl],
  ["/%2e//evil.example", baseUrl],
  ["/%2E%2e//evil.example", baseUrl],
  ["/;//evil.example", `${baseUrl}/;//evil.example`],
  ["//evil.example%00.app.example", baseUrl],
  ["/〱evil.example", `${baseUrl}/%E3%80%B1evil.example`],
  ["//evil。example", baseUrl],
]

const userInfo: readonly (readonly [url: string, result: string])[] = [
  ["https://app.example@evil.example", baseUrl],
  ["https://app.example\\@evil.example", baseUrl],
  ["https://u:p@app.example/x", baseUrl],
  ["https://u@app.example/x", baseUrl],
  ["https://:p@app.example/x", baseUrl],
  ["https://evil.example#@app.example", baseUrl],
]

const schemes = [
  "javascript:alert(1)",
  " javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "java\tscript:alert(1)",
  "javascript://app.example/%0aalert(1)",
  "data:text/html,x",
  "vbscript:x",
  "file:///x",
  "blob:https://app.example/id",
  "filesystem:https://app.example/t/x",
  "about:blank",
  "view-source:https://app.example",
  "ws://app.example",
  "wss://app.example",
  "app:/x",
  "intent://x",
]

const almostOurs: readonly (readonly [url: string, result: string])[] = [
  ["https://app.example.evil.example", baseUrl],
  ["https://evilapp.example", baseUrl],
  ["https://app.example:8443", baseUrl],
  ["http://app.example", baseUrl],
  ["http://app.example:443", baseUrl],
  ["https://app.example./x", baseUrl],
  ["https://sub.app.example/x", baseUrl],
  ["https://ok.example.evil", baseUrl],
  ["https://app.example%2eevil.example", baseUrl],
  ["https://app.example%00.evil.example", baseUrl],
  ["https://APP.EXAMPLE", baseUrl],
  ["https://APP.EXAMPLE/Path", `${baseUrl}/Path`],
  ["https://app.example:443", baseUrl],
  ["https://app.example:443/x", `${baseUrl}/x`],
  ["HTTPS://app.example/x", `${baseUrl}/x`],
]

const characters: readonly (readonly [url: string, result: string])[] = [
  ["/ok%0d%0aSet-Cookie:a=b", `${baseUrl}/ok%0d%0aSet-Cookie:a=b`],
  ["/ok\r\nSet-Cookie:a=b", baseUrl],
  ["/x%00", `${baseUrl}/x%00`],
  ["/x\u0000", baseUrl],
  ["/x\u007f", baseUrl],
  ["/x%0a", `${baseUrl}/x%0a`],
  ["/x%E2%80%A8", `${baseUrl}/x%E2%80%A8`],
  ["/x\u2028", `${baseUrl}/x%E2%80%A8`],
  ["/é?q=ü#ß", `${baseUrl}/%C3%A9?q=%C3%BC#%C3%9F`],
  ["/a b", `${baseUrl}/a%20b`],
  [`/${"x".repeat(1_000_000)}`, baseUrl],
  [`/${"x".repeat(2999)}`, baseUrl],
  [`/${"x".repeat(2048)}`, baseUrl],
  [`/${"x".repeat(2047)}`, `${baseUrl}/${"x".repeat(2047)}`],
]

const noTargets = ["", "relative", "https://", "https:", "https:app.example", "?x", "#x", ".", "..", "*", "app.example"]

describe("the default redirect callback", () => {
  it.each(foreignAddresses)("sends %j to the base address", (url) => {
    expect(redirect(url)).toBe(baseUrl)
  })

  it.each(schemes)("sends %j to the base address, for its scheme", (url) => {
    expect(redirect(url)).toBe(baseUrl)
  })

  it.each(noTargets)("sends %j to the base address, as it names no place", (url) => {
    expect(redirect(url)).toBe(baseUrl)
  })

  it.each([...pathTricks, ...userInfo, ...almostOurs])("sends %j to %s", (url, result) => {
    expect(redirect(url)).toBe(result)
    expectOnOrigin(redirect(url))
  })

  it.each(characters.map(([url, result]) => [url.slice(0, 40), url, result] as const))(
    "sends %j to where it points in canonical form, or to the base address",
    (_start, url, result) => {
      expect(redirect(url)).toBe(result)
      expectOnOrigin(redirect(url))
    },
  )

  it.each([
    ["/", `${baseUrl}/`],
    ["/account", `${baseUrl}/account`],
    ["/account?tab=1#keys", `${baseUrl}/account?tab=1#keys`],
    ["/a/../b", `${baseUrl}/b`],
    [baseUrl, baseUrl],
    [`${baseUrl}/`, `${baseUrl}/`],
    [`${baseUrl}/account`, `${baseUrl}/account`],
    [`${baseUrl}?x=1`, `${baseUrl}/?x=1`],
    [`${baseUrl}#x`, `${baseUrl}/#x`],
    ["/redirect?to=https://evil.example", `${baseUrl}/redirect?to=https://evil.example`],
  ])("lets %j pass as %s", (url, result) => {
    expect(redirect(url)).toBe(result)
  })

  it.each([
    ["http://localhost:3000", "http://localhost:3000/x", "http://localhost:3000/x"],
    ["http://localhost:3000", "http://localhost:3001/x", "http://localhost:3000"],
    ["http://localhost:3000", "http://localhost/x", "http://localhost:3000"],
    ["http://localhost:3000", "https://localhost:3000/x", "http://localhost:3000"],
    ["http://[::1]:3000", "/x", "http://[::1]:3000/x"],
    ["https://xn--e1afmkfd.example", "https://пример.example/x", "https://xn--e1afmkfd.example/x"],
  ])("from %s, sends %s to %s", (base, url, result) => {
    expect(redirect(url, base)).toBe(result)
  })

  const pieces = fc.constantFrom(
    ...["/", "//", "\\", ".", "..", "%2e", "%2f", "%5c", "%09", "%00", "\t", "\n", "\r", " ", "?", "#", "@", ":", ";"],
    ...["https:", "http:", "HTTPS://", "javascript:", "blob:", "evil.example", "app.example", ":443", ":8443", "u:p@"],
    ...["。", "．", "〱", "\u2028", "\u0000", "\ud800", "é", "%", "[", "]", "|"],
  )
  const anyUrl = fc.oneof(
    fc.array(pieces, { maxLength: 10 }).map((parts) => parts.join("")),
    fc.array(pieces, { maxLength: 8 }).map((parts) => `https://app.example${parts.join("")}`),
    fc.webUrl(),
    fc.string({ unit: "binary" }).map((text) => `/${text}`),
    fc.string({ unit: "binary" }),
  )

  it("never leaves the origin, whatever it is given", () => {
    fc.assert(
      fc.property(
        anyUrl,
        fc.constantFrom(baseUrl, "http://localhost:3000", "https://app.example:8443"),
        (url, base) => {
          expectOnOrigin(redirect(url, base), base)
        },
      ),
      { numRuns: 3000 },
    )
  })

  it("accepts its own results unchanged", () => {
    fc.assert(
      fc.property(anyUrl, (url) => {
        const once = redirect(url)
        // A canonical form is longer where characters are encoded, and may then be too long.
        fc.pre(once.length <= 2048)
        expect(redirect(once)).toBe(once)
      }),
      { numRuns: 1000 },
    )
  })
})

describe("parseTarget", () => {
  it.each<readonly [string, unknown]>([
    ["undefined", undefined],
    ["null", null],
    ["a number", 1],
    ["a list", ["/a"]],
    ["an object", { a: 1 }],
    ["a URL object", new URL(baseUrl)],
  ])("takes %s for no target", (_what, url) => {
    expect(parseTarget(url, baseUrl)).toBeUndefined()
  })

  it.each([...schemes, ...noTargets])("takes %j for no target", (url) => {
    expect(parseTarget(url, baseUrl)).toBeUndefined()
  })

  it.each([
    ["/x?y#z", `${baseUrl}/x?y#z`],
    ["https://other.example/x", "https://other.example/x"],
    ["http://other.example", "http://other.example/"],
    ["HTTP://OTHER.example", "http://other.example/"],
  ])("parses %j", (url, href) => {
    expect(parseTarget(url, baseUrl)?.href).toBe(href)
  })
})

describe("withQuery", () => {
  it.each<readonly [string, Readonly<Record<string, string | undefined>>, string]>([
    ["/err", { error: "Configuration" }, "/err?error=Configuration"],
    ["/err?a=1", { error: "x" }, "/err?a=1&error=x"],
    ["/err#top", { error: "x" }, "/err?error=x#top"],
    ["/err?a=1#top", { error: "x" }, "/err?a=1&error=x#top"],
    ["https://app.example/err", { error: "x" }, "https://app.example/err?error=x"],
    ["/err", { error: "x", code: "y" }, "/err?error=x&code=y"],
    ["/err", { error: "x&admin=1#f" }, "/err?error=x%26admin%3D1%23f"],
    ["/err", { error: "ü é" }, "/err?error=%C3%BC%20%C3%A9"],
    ["/err", { error: "" }, "/err?error="],
    ["/err", { error: undefined, code: "y" }, "/err?code=y"],
    ["/err", { error: undefined }, "/err"],
    ["/err?a#b", {}, "/err?a#b"],
    ["/#/login#top", { error: "x" }, "/?error=x#/login#top"],
    ["/err", { "a&b=c#d": "1" }, "/err?a%26b%3Dc%23d=1"],
    ["/err", { "a\r\nb": "1" }, "/err?a%0D%0Ab=1"],
  ])("adds to %s the parameters %o", (url, parameters, result) => {
    expect(withQuery(url, parameters)).toBe(result)
  })
})

describe("absoluteUrl", () => {
  it.each([
    ["/login", `${baseUrl}/login`],
    ["login", `${baseUrl}/login`],
    ["/login?a=1#b", `${baseUrl}/login?a=1#b`],
    ["", `${baseUrl}/`],
    ["https://id.example/login", "https://id.example/login"],
    ["http://id.example", "http://id.example"],
    ["HTTPS://id.example", "HTTPS://id.example"],
    ["com.example.app://signed-in", "com.example.app://signed-in"],
    ["https://[", baseUrl],
    ["http://", baseUrl],
  ])("makes of %j the address %s", (page, result) => {
    expect(absoluteUrl(page, baseUrl)).toBe(result)
  })

  // A browser drops white space before an address, and tabs and line breaks inside.
  it.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "\u0000javascript:alert(1)",
    "\tjavascript:alert(1)",
    "java\tscript:alert(1)",
    "java\r\nscript:alert(1)",
    "javascript\n:alert(1)",
    "javascript://app.example/%0aalert(1)",
    "data:text/html,x",
    " data:text/html,x",
    "da\tta:text/html,x",
    "vbscript:x",
    "vb\nscript:x",
  ])("makes of %j, which would run, the origin", (page) => {
    expect(absoluteUrl(page, baseUrl)).toBe(baseUrl)
  })

  it("always gives an address, on the origin unless another was given in full", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl(), fc.webPath()), (page) => {
        const result = absoluteUrl(page, baseUrl)
        expect(URL.canParse(result)).toBe(true)
        expect(new URL(result).protocol).not.toMatch(/^(?:javascript|data|vbscript):$/)
        if (!URL.canParse(page)) expect(new URL(result).origin).toBe(baseUrl)
      }),
      { numRuns: 1000 },
    )
  })
})
