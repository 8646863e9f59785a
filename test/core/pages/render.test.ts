import { describe, expect, it } from "@jest/globals"
import type {
  ErrorPage,
  PageModel,
  ProviderButton,
  ProviderForm,
  SignInPage,
  SignOutPage,
} from "../../../src/core/pages/models.js"
import { contentSecurityPolicy, renderPage } from "../../../src/core/pages/render.js"

const nonce = "bm9uY2U="
const common = {
  theme: { colorScheme: "auto", logo: "", brandColor: "", buttonText: "" },
  site: { url: "https://app.test", host: "app.test" },
  signinUrl: "https://app.test/auth/signin",
} as const

function button(id: string, name: string, color = "#24292f", textColor = "#fff"): ProviderButton {
  return { kind: "button", id, name, action: `https://app.test/auth/signin/${id}`, color, textColor }
}

function form(id: string, name: string): ProviderForm {
  return {
    kind: "form",
    id,
    name,
    action: `https://app.test/auth/callback/${id}`,
    fields: [
      {
        name: "username",
        label: "User name",
        attributes: [
          ["type", "text"],
          ["required", true],
        ],
      },
      { name: "password", label: "Password", attributes: [["type", "password"]] },
    ],
  }
}

function signIn(providers: SignInPage["providers"], more: Partial<SignInPage> = {}): SignInPage {
  const callbackUrl = "https://app.test/account"
  return { ...common, view: "signin", csrfToken: "csrf-token", callbackUrl, providers, ...more }
}

const signOut: SignOutPage = {
  ...common,
  view: "signout",
  csrfToken: "csrf-token",
  action: "https://app.test/auth/signout",
  callbackUrl: "https://app.test/",
}

function errorPage(error: ErrorPage["error"], more: Partial<ErrorPage> = {}): ErrorPage {
  return { ...common, view: "error", error, ...more }
}

const everyProvider = [
  button("github", "GitHub"),
  button("google", "Google", "#1a73e8"),
  button("vk", "VK", "#07F"),
  button("orchard", "Orchard"),
  form("credentials", "Credentials"),
  form("ldap", "LDAP"),
  button("last", "Last"),
]
const message = { tone: "error", text: "Please try again." } as const

const pages: Readonly<Record<string, PageModel>> = {
  "sign-in": signIn(everyProvider, { message }),
  "sign-in without a provider": signIn([]),
  "sign-out": signOut,
  "verify-request": { ...common, view: "verify-request" },
  "error Configuration": errorPage("Configuration", { correlationId: "c0ffee", detail: "expected a, got b" }),
  "error AccessDenied": errorPage("AccessDenied"),
  "error Verification": errorPage("Verification"),
  "error Default": errorPage("Default"),
}

const all = (html: string, pattern: RegExp) => [...html.matchAll(pattern)].map(([, found = ""]) => found)

/** The page without its style sheet. */
const markup = (page: PageModel) => renderPage(page, nonce).replace(/<style[\s\S]*?<\/style>/, "")

const sheet = (page: PageModel) => all(renderPage(page, nonce), /<style[^>]*>([\s\S]*?)<\/style>/g).join("")

describe.each(Object.entries(pages))("the %s page", (_, page) => {
  const html = renderPage(page, nonce)

  it("is a complete HTML document in English, with the theme's class on the body", () => {
    expect(html).toMatch(/^<!DOCTYPE html>\n<html lang="en">/)
    expect(html).toContain('<meta charset="utf-8">')
    expect(html).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">')
    expect(html).toContain('<body class="__next-auth-theme-auto">')
    expect(html).toMatch(/<\/body>\n<\/html>$/)
  })

  it("wraps a card in the root of its kind", () => {
    const root = page.view
    expect(html).toMatch(new RegExp(`<div class="page"[^>]*>\\s*<div class="${root}">\\s*<div class="card">`))
    expect(all(html, /(<h1>)/g)).toHaveLength(1)
  })

  it("closes every element that it opens", () => {
    for (const element of ["div", "form", "p", "span", "button", "label", "a", "svg", "h1", "h2"]) {
      const opened = all(html, new RegExp(`(<${element}[\\s>])`, "g")).length
      expect({ element, closed: all(html, new RegExp(`(</${element}>)`, "g")).length }).toEqual({
        element,
        closed: opened,
      })
    }
  })

  it("holds no script and no style attribute, and its only style element bears the nonce", () => {
    expect(html).not.toMatch(/<script/i)
    expect(html).not.toMatch(/<[^>]*\s(style|on\w+)=/i)
    expect(all(html, /<style([^>]*)>/g)).toEqual([` nonce="${nonce}"`])
  })

  it("mentions no address of another site", () => {
    const addresses = all(html, /((?:[a-z]+:)?\/\/[^\s"'<>)]+)/gi)
    expect(addresses.filter((address) => !/^https:\/\/app\.test(\/|$)/.test(address))).toEqual([])
    expect(html).not.toMatch(/url\(|@import/i)
  })

  it("uses no id twice, and binds every label to an input", () => {
    const ids = all(html, /\sid="([^"]*)"/g)
    expect(ids).toEqual([...new Set(ids)])
    for (const target of all(html, /<label for="([^"]*)"/g)) expect(html).toContain(`<input id="${target}"`)
  })
})

describe("the sign-in page", () => {
  it("posts each button to its provider, with the token and the address to return to", () => {
    const html = renderPage(signIn([button("github", "GitHub")]), nonce)
    expect(html).toContain("<title>Sign In</title>")
    expect(html).toContain('<form action="https://app.test/auth/signin/github" method="POST">')
    expect(html).toContain('<input type="hidden" name="csrfToken" value="csrf-token">')
    expect(html).toContain('<input type="hidden" name="callbackUrl" value="https://app.test/account">')
  })

  it("names each button exactly after its provider, whatever decorates it", () => {
    const names = all(markup(signIn(everyProvider)), /<button[^>]*>([\s\S]*?)<\/button>/g).map((inner) =>
      inner
        .replace(/<(svg|b)\b[^>]*aria-hidden="true"[\s\S]*?<\/\1>/g, "")
        .replace(/<[^>]*>/g, "")
        .trim(),
    )
    expect(names).toEqual(everyProvider.map((provider) => `Sign in with ${provider.name}`))
  })

  it("draws the built-in logo of a known provider, and the initial of any other", () => {
    expect(markup(signIn([button("github", "GitHub")]))).toContain("<svg")
    const other = markup(signIn([button("orchard", "orchard")]))
    expect(other).not.toContain("<svg")
    expect(other).toContain('<b class="monogram" aria-hidden="true">O</b>')
  })

  it.each(["constructor", "__proto__", "toString"])("has no logo for a provider called %s", (id) => {
    expect(markup(signIn([button(id, "Odd")]))).toContain('<b class="monogram" aria-hidden="true">O</b>')
  })

  it("shows the fields of a form, with their labels and attributes", () => {
    const html = renderPage(signIn([form("credentials", "Credentials")]), nonce)
    expect(html).toContain('<form action="https://app.test/auth/callback/credentials" method="POST">')
    expect(html).toContain('<label for="input-username-for-credentials-provider">User name</label>')
    expect(html).toContain('<input id="input-username-for-credentials-provider" name="username" type="text" required>')
    expect(html).toContain('<input id="input-password-for-credentials-provider" name="password" type="password">')
    expect(html).toContain('<button id="submitButton" type="submit">Sign in with Credentials</button>')
    expect(html).toContain('name="callbackUrl" value="https://app.test/account"')
  })

  it("gives the submit button of every form an id of its own", () => {
    const html = renderPage(signIn([form("one", "One"), form("two", "Two")]), nonce)
    expect(all(html, /<button id="([^"]*)"/g)).toEqual(["submitButton", "submitButton-two"])
  })

  it("leaves out attributes that are misnamed, doubled, or change what the form does", () => {
    const attributes: ProviderForm["fields"][number]["attributes"] = [
      ["type", "text"],
      ["TYPE", "submit"],
      ["x onfocus=alert(1) y", "z"],
      ["onfocus", "alert(1)"],
      ["formaction", "https://other.test"],
      ["style", "position:fixed"],
      ["id", "stolen"],
      ["name", "stolen"],
      ["data-form-field", true],
      ["maxlength", "9"],
    ]
    const html = renderPage(signIn([{ ...form("f", "F"), fields: [{ name: "pin", label: "PIN", attributes }] }]), nonce)
    expect(html).toContain('<input id="input-pin-for-f-provider" name="pin" type="text" data-form-field maxlength="9">')
  })

  it.each([
    ["no two buttons", [button("a", "A"), button("b", "B")], 0],
    ["a button and a form", [button("a", "A"), form("f", "F")], 1],
    ["a form between buttons", [button("a", "A"), form("f", "F"), button("b", "B")], 2],
    ["two forms", [form("f", "F"), form("g", "G")], 1],
  ] as const)("separates %s by a single “or”", (_, providers, separators) => {
    const html = markup(signIn(providers))
    expect(all(html, /(class="separator")/g)).toHaveLength(separators)
    expect(html).not.toMatch(/class="separator"><span>or<\/span><\/div>\s*<div class="separator"/)
    expect(html).not.toContain("<hr")
  })

  it("announces a failure as an alert and a notice as a status, before anything else on the card", () => {
    const failed = markup(signIn([], { message: { tone: "error", text: "Try another account." } }))
    expect(failed).toMatch(/<div class="card">\s*<div class="error" role="alert">\s*<p>Try another account\.<\/p>/)
    const noticed = markup(signIn([], { message: { tone: "notice", text: "Please sign in." } }))
    expect(noticed).toMatch(/<div class="card">\s*<div class="notice" role="status">\s*<p>Please sign in\.<\/p>/)
    expect(markup(signIn([]))).not.toMatch(/role="(alert|status)"/)
  })
})

describe("the other pages", () => {
  it("asks before signing out", () => {
    const html = renderPage(signOut, nonce)
    expect(html).toContain("<title>Sign Out</title>")
    expect(html).toContain('<form action="https://app.test/auth/signout" method="POST">')
    expect(html).toContain('<input type="hidden" name="csrfToken" value="csrf-token">')
    expect(html).toContain('<button id="submitButton" type="submit">Sign out</button>')
  })

  it("says whose session ends as well, with the name as text", () => {
    const federated = { name: "R&D <staff>", provider: "work" }
    const named = renderPage({ ...signOut, federated }, nonce)
    expect(named).toContain("<p>This also signs you out at R&amp;D &lt;staff&gt;.</p>")
    expect(named).toContain('<input type="hidden" name="provider" value="work">')
    const unnamed = renderPage({ ...signOut, federated: {} }, nonce)
    expect(unnamed).toContain(
      "<p>You will also be signed out of the account you signed in with, where that is possible.",
    )
    expect(unnamed).toContain('<input type="hidden" name="federated" value="true">')
    expect(unnamed).not.toContain('name="provider"')
  })

  it("points to the mailbox after a link was sent, and back to the site", () => {
    const html = renderPage({ ...common, view: "verify-request" }, nonce)
    expect(html).toContain("<title>Verify Request</title>")
    expect(html).toContain('<a class="site" href="https://app.test">app.test</a>')
  })

  it.each(["AccessDenied", "Verification"] as const)("links from %s to the sign-in page", (error) => {
    const html = renderPage(errorPage(error), nonce)
    expect(html).toContain("<title>Error</title>")
    expect(html).toContain('<a class="button" href="https://app.test/auth/signin">Sign in</a>')
  })

  it("links from an unnamed error to the site", () => {
    const html = renderPage(errorPage("Default"), nonce)
    expect(html).toContain("<h1>Error</h1>")
    expect(html).toContain('<a class="site" href="https://app.test">app.test</a>')
    expect(html).not.toContain("/auth/signin")
  })

  it("names the occurrence of a configuration error, and its detail only if it is given one", () => {
    const html = renderPage(errorPage("Configuration", { correlationId: "c0ffee" }), nonce)
    expect(html).toContain("There is a problem with the server configuration.")
    expect(html.replace(/<\/?code>/g, "")).toContain("Reference: c0ffee")
    expect(html).not.toContain("<pre>")
    const inDevelopment = renderPage(errorPage("Configuration", { detail: "expected a\ngot b" }), nonce)
    expect(inDevelopment).toContain("<pre>expected a\ngot b</pre>")
    expect(inDevelopment).not.toContain("Reference")
  })
})

describe("the theme", () => {
  it.each(["auto", "light", "dark"] as const)(
    "of the %s scheme is told to the browser and to the style sheet",
    (colorScheme) => {
      const html = renderPage({ ...signOut, theme: { ...common.theme, colorScheme } }, nonce)
      expect(html).toContain(`<body class="__next-auth-theme-${colorScheme}">`)
      const expected = colorScheme === "auto" ? "light dark" : colorScheme
      expect(html).toContain(`<meta name="color-scheme" content="${expected}">`)
    },
  )

  it("shows the logo on every page", () => {
    for (const page of Object.values(pages)) {
      const html = renderPage({ ...page, theme: { ...page.theme, logo: "/logo.png" } }, nonce)
      expect(html).toContain('<img class="logo" alt="Logo" src="/logo.png">')
      expect(renderPage(page, nonce)).not.toContain("<img")
    }
  })

  it("sets the colours that applications choose, and only those", () => {
    const chosen = sheet({ ...signOut, theme: { ...common.theme, brandColor: "#0a7d5a", buttonText: "#fefefe" } })
    expect(chosen).toContain(":root{--brand-color:#0a7d5a}")
    expect(chosen).toContain(":root{--button-text-color:#fefefe}")
    expect(sheet(signOut)).not.toMatch(/--(brand|button-text)-color:(?!var)/)
  })

  it.each([
    ["#ffd21e", "#000"],
    ["#fff", "#000"],
    ["#10163a", "#fff"],
    ["gold", "color(from gold xyz-d65 "],
  ])("writes on the brand colour %s in a text colour that can be read", (brandColor, text) => {
    expect(sheet({ ...signOut, theme: { ...common.theme, brandColor } })).toContain(`:root{--button-text-color:${text}`)
  })

  it.each([
    ["keeps colours that contrast", "#24292f", "#fff", "#24292f", "#fff"],
    ["deepens a colour that falls a little short", "#07F", "#fff", "rgb(0 113 242)", "#fff"],
    ["changes a text that falls far short", "#00C300", "#fff", "#00C300", "#000"],
    ["leaves colours alone that it cannot measure", "rebeccapurple", "white", "rebeccapurple", "white"],
  ])("%s on a provider's button", (_, color, textColor, shade, text) => {
    const rule = `.provider-0{--provider-brand-color:${shade};--provider-color:${text}}`
    expect(sheet(signIn([button("any", "Any", color, textColor)]))).toContain(rule)
  })

  it("defines or reads every custom property that applications may override", () => {
    const names = [
      "border-width border-radius color-error color-info color-info-hover color-info-text color-background",
      "color-background-hover color-background-card color-text color-primary color-control-border",
      "color-button-active-background color-button-active-border color-separator provider-bg provider-bg-hover",
      "provider-brand-color provider-color brand-color button-text-color button-hover-bg",
    ]
    const rules = sheet(pages["sign-in"] ?? signOut)
    for (const name of names.join(" ").split(" ")) expect(rules).toMatch(new RegExp(`var\\(--${name}[,)]`))
  })
})

describe("escaping", () => {
  const hostile = `"><script>alert(1)</script>'&`

  /** Every string of a model, except those that choose a branch, becomes hostile. */
  function poison<Value>(value: Value, key?: string): Value
  function poison(value: unknown, key = ""): unknown {
    if (typeof value === "string") return ["view", "kind", "error", "tone"].includes(key) ? value : key + hostile
    if (Array.isArray(value)) return value.map((item: unknown): unknown => poison(item, key))
    if (typeof value !== "object" || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, poison(item, name)]))
  }

  it.each(Object.entries(pages))("lets no string of the %s page become markup", (_, page) => {
    const html = renderPage(poison(page), nonce + hostile)
    expect(html).not.toContain("<script")
    expect(html).toContain("&#34;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#39;&amp;")
    const elements = (text: string) =>
      all(text, /<(\/?[a-z]\w*)/g).filter((name) => !/^\/?(svg|path|g|rect|circle|b|img)$/.test(name))
    expect(elements(html)).toEqual(elements(renderPage(page, nonce)))
  })

  it("does not let a colour end the style element", () => {
    const hostileColor = "red}</style><script>alert(1)</script>"
    const theme = { ...common.theme, brandColor: hostileColor, buttonText: hostileColor }
    const html = renderPage(signIn([button("a", "A", hostileColor, hostileColor)], { theme }), nonce)
    expect(all(html, /(<\/style>)/g)).toHaveLength(1)
    expect(html).not.toContain("<script")
  })
})

describe("the content security policy", () => {
  const read = (page: PageModel): Readonly<Record<string, string>> =>
    Object.fromEntries(
      contentSecurityPolicy(page, nonce)
        .split("; ")
        .map((directive) => {
          const [name = "", ...sources] = directive.split(" ")
          return [name, sources.join(" ")] as const
        }),
    )

  it.each(Object.entries(pages))("of the %s page allows nothing that the page does not need", (_, page) => {
    expect(read(page)).toEqual({
      "default-src": "'none'",
      "style-src": `'nonce-${nonce}'`,
      "img-src": "'self' data:",
      "form-action": expect.stringMatching(/^'self'/),
      "base-uri": "'none'",
      "frame-ancestors": "'none'",
    })
  })

  it.each([
    ["", ""],
    ["/logo.png", ""],
    ["https://app.test/logo.png", ""],
    ["https://cdn.test/a/logo.png", " https://cdn.test"],
    ["http://cdn.test:8080/logo.png", " http://cdn.test:8080"],
    ["//cdn.test/logo.png", " https://cdn.test"],
    ["javascript:alert(1)", ""],
    ["https://cdn.test;script-src/logo.png", ""],
    ["https://[broken", ""],
  ])("for the logo %j allows the origin%s", (logo, source) => {
    expect(read({ ...signOut, theme: { ...common.theme, logo } })["img-src"]).toBe(`'self' data:${source}`)
  })

  it("lets a vendor's button lead to the vendor, wherever that is", () => {
    expect(read(signIn([button("a", "A"), form("f", "F")]))["form-action"]).toBe("'self' https: http:")
  })

  it.each([
    ["https://app.test/account", ""],
    ["https://other.test/account", " https://other.test"],
    ["orchard://signed-in", " orchard:"],
    ["javascript:alert(1)", ""],
    ["data:text/html,x", ""],
  ])("lets any other form lead to %s alone", (callbackUrl, source) => {
    expect(read({ ...signOut, callbackUrl })["form-action"]).toBe(`'self'${source}`)
    expect(read(signIn([form("f", "F")], { callbackUrl }))["form-action"]).toBe(`'self'${source}`)
  })

  it.each(["verify-request", "error Default"])("gives the %s page, which has no form, no target elsewhere", (name) => {
    expect(read(pages[name] ?? signOut)["form-action"]).toBe("'self'")
  })
})
