/** Turns a page model into HTML, and says what that HTML may load and where its forms may lead. */
import { css, error, logos, signin, signout, verifyRequest } from "./compiled-views.js"
import type { FormField, PageModel, ProviderButton, SignInPage } from "./models.js"

/**
 * The complete HTML of a built-in page. It holds no script, and loads nothing but the theme's logo.
 * `nonce` marks its one style element: the response must carry {@link contentSecurityPolicy} with the same nonce.
 */
export function renderPage(page: PageModel, nonce: string): string {
  const theme = { ...page.theme, buttonText: page.theme.buttonText || textOn(page.theme.brandColor) }
  switch (page.view) {
    case "signin":
      return signin({ page: { ...page, theme, providers: page.providers.map(prepareProvider) }, nonce, css, logos })
    case "signout":
      return signout({ page: { ...page, theme }, nonce, css })
    case "verify-request":
      return verifyRequest({ page: { ...page, theme }, nonce, css })
    case "error":
      return error({ page: { ...page, theme }, nonce, css })
  }
}

/**
 * Value of the `Content-Security-Policy` header that goes with {@link renderPage}.
 * @see https://www.w3.org/TR/CSP3/
 */
export function contentSecurityPolicy(page: PageModel, nonce: string): string {
  return [
    ["default-src", "'none'"],
    ["style-src", `'nonce-${nonce}'`],
    ["img-src", "'self'", "data:", ...originOf(page.theme.logo, page.site.url)],
    ["form-action", "'self'", ...formTargets(page)],
    ["base-uri", "'none'"],
    ["frame-ancestors", "'none'"],
  ]
    .map((directive) => directive.join(" "))
    .join("; ")
}

/**
 * Where forms may lead besides ourselves. Chromium applies `form-action` also to the redirect that answers a form, and
 * ours are answered with one. A vendor's button, and a federated sign-out, lead to the vendor, whose origin discovery may tell only later. Any
 * other form leads to the validated `callbackUrl`, which may lie on another allowed origin or be an application's link.
 * @see https://github.com/w3c/webappsec-csp/issues/8
 */
function formTargets(page: PageModel): readonly string[] {
  if (page.view !== "signin" && page.view !== "signout") return []
  const target = originOf(page.callbackUrl, page.site.url)
  const leadsToVendor = page.view === "signout" ? page.federated : page.providers.some(({ kind }) => kind === "button")
  if (!leadsToVendor) return target
  return ["https:", "http:", ...target.filter((source) => !source.startsWith("http"))]
}

/** CSP source of an address that is not on the site itself: its origin, or its scheme where there is no origin. */
function originOf(address: string, site: string): readonly string[] {
  if (!address || !URL.canParse(address, site)) return []
  const { protocol, host, origin } = new URL(address, site)
  if (protocol !== "https:" && protocol !== "http:") return unlisted.has(protocol) ? [] : [protocol]
  // The URL standard lets a few characters into a host that would end a CSP source.
  return origin === new URL(site).origin || !/^[\w.:[\]-]+$/.test(host) ? [] : [origin]
}

/** Schemes that never need an entry, or must not get one. */
const unlisted: ReadonlySet<string> = new Set(["data:", "blob:", "javascript:", "about:", "file:", "filesystem:"])

type Provider = SignInPage["providers"][number]

function prepareProvider(provider: Provider): Provider {
  if (provider.kind === "button") return { ...provider, ...legible(provider) }
  return { ...provider, fields: provider.fields.map(prepareField) }
}

/** Attributes that the views write themselves, or that would change what a form does or how the page looks. */
const withheld = /^(on.*|form.*|style|class|id|name)$/i

/** A field without attributes that would make the HTML invalid: wrongly named, or there already. */
function prepareField(field: FormField): FormField {
  const attributes = field.attributes.filter(
    ([name], index, all) =>
      /^[a-z][\w.:-]*$/i.test(name) &&
      !withheld.test(name) &&
      all.findIndex(([other]) => other.toLowerCase() === name.toLowerCase()) === index,
  )
  return { ...field, attributes }
}

type Rgb = readonly [red: number, green: number, blue: number]

/** Contrast of normal text, WCAG 2.2 level AA. */
const enough = 4.5

/**
 * Colours of a button, so that it can be read. A pair that falls a little short keeps its text, on a slightly deeper
 * shade; one that falls far short gets another text colour. Only hexadecimal colours are looked at.
 * @see https://www.w3.org/TR/WCAG22/#contrast-minimum
 */
function legible({ color, textColor }: ProviderButton): Pick<ProviderButton, "color" | "textColor"> {
  if (!textColor) return { color, textColor: textOn(color) }
  const background = parseHex(color)
  const text = parseHex(textColor)
  if (!background || !text || contrast(background, text) >= enough) return { color, textColor }
  if (contrast(background, text) < 3) return { color, textColor: textOn(color) }
  const limit = luminance(text) > luminance(background) ? 0 : 255
  for (let percent = 1; percent < 100; percent++) {
    const shade = background.map((channel) => Math.round(channel + ((limit - channel) * percent) / 100))
    const [red = 0, green = 0, blue = 0] = shade
    if (contrast([red, green, blue], text) >= enough) return { color: `rgb(${shade.join(" ")})`, textColor }
  }
  return { color, textColor: textOn(color) }
}

/** Black or white, whichever reads better on a colour; one that is not hexadecimal is left to the browser. */
function textOn(color: string): string {
  if (!color) return ""
  const background = parseHex(color)
  if (background) return contrast(background, [255, 255, 255]) >= enough ? "#fff" : "#000"
  const channel = "clamp(0, (0.18 - y) * 1000, 1)"
  return `color(from ${color} xyz-d65 calc(0.95 * ${channel}) ${channel} calc(1.089 * ${channel}))`
}

function parseHex(color: string): Rgb | undefined {
  const digits = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(color.trim())?.[1]
  if (!digits) return undefined
  const width = digits.length / 3
  const channel = (index: number) => parseInt(digits.slice(index * width, (index + 1) * width).repeat(3 - width), 16)
  return [channel(0), channel(1), channel(2)]
}

/** @see https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
function contrast(one: Rgb, other: Rgb): number {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/** @see https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(color: Rgb): number {
  const [red, green, blue] = color.map((channel) => {
    const value = channel / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
}
