/** c.2, "`auth_time` / `max_age` / `acr`": what the configuration asks of the authentication must have been done. */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { freezeClock, releaseClock } from "../../../support/core-clock.js"
import { expectRefused, oauthAt, oidcAt, openSite, signIn, type Site } from "../../../support/core-flow.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

type Params = Readonly<Record<string, unknown>>

const essential = (acr: object): Params => ({ claims: { id_token: { acr: { essential: true, ...acr } } } })

function openWith(params: Params, acr: unknown, given = {}): Site {
  const site = openSite((idp) => oidcAt(idp, { authorization: { params }, ...given }))
  site.idp.faults = { claims: (claims) => ({ ...claims, acr }) }
  return site
}

const accepted: readonly (readonly [what: string, params: Params, acr: unknown])[] = [
  ["the one that is asked for", { acr_values: "gold" }, "gold"],
  ["the second one", { acr_values: "gold  silver" }, "silver"],
  ["an essential value", essential({ value: "gold" }), "gold"],
  ["one of the essential values", essential({ values: ["gold", "silver"] }), "silver"],
  ["any, where it is essential that there is one", essential({}), "bronze"],
  ["none, where nothing is asked for", {}, undefined],
  ["none, where a claim is asked for as a wish", { claims: { id_token: { acr: { values: ["gold"] } } } }, undefined],
  ["none, where the claim is asked for without more", { claims: { id_token: { acr: null } } }, undefined],
  ["none, where other claims are asked for", { claims: { userinfo: { email: null } } }, undefined],
  ["none, where claims are no JSON", { claims: "email" }, undefined],
  ["none, where the values are empty", { acr_values: " " }, undefined],
]

const refused: readonly (readonly [what: string, params: Params, acr: unknown])[] = [
  ["none", { acr_values: "gold" }, undefined],
  ["another one", { acr_values: "gold" }, "bronze"],
  ["several in one", { acr_values: "gold silver" }, "gold silver"],
  ["a list", { acr_values: "gold" }, ["gold"]],
  ["none that is essential", essential({ values: ["gold"] }), undefined],
  ["another one than the essential value", essential({ value: "gold" }), "bronze"],
  ["another one than the essential values", essential({ values: ["gold"] }), "bronze"],
  ["none, where it is essential that there is one", essential({}), undefined],
  [
    "one of the lesser values, where one is essential",
    { acr_values: "silver", ...essential({ value: "gold" }) },
    "silver",
  ],
]

describe("the context of an authentication", () => {
  it.each(accepted)("may be %s", async (_, params, acr) => {
    const site = openWith(params, acr)

    await signIn(site)

    expect(await site.browser.session()).not.toBeNull()
  })

  it.each(refused)("must not be %s", async (_, params, acr) => {
    const site = openWith(params, acr)

    await expectRefused(site.browser, await signIn(site), ["Configuration"])
    expect(site.log.text()).toContain("the person was not authenticated as was asked for")
  })

  it("is that of the ID token, also when the profile comes from userinfo", async () => {
    const site = openWith({ acr_values: "gold" }, "bronze", { idToken: false })
    site.idp.person = { ...site.idp.person, acr: "gold" }

    await expectRefused(site.browser, await signIn(site), ["Configuration"])
    expect(site.idp.count("userinfo")).toBe(0)
  })

  it("that a browser asks for is up to the provider", async () => {
    const site = openSite()
    const url = await site.browser.start("idp", {}, "?acr_values=gold")

    await site.browser.get(site.idp.approve(url).href)

    expect(url.searchParams.get("acr_values")).toBe("gold")
    expect(await site.browser.session()).not.toBeNull()
  })

  it("cannot be told by plain OAuth 2", async () => {
    const site = openSite((idp) =>
      oauthAt(idp, { authorization: { url: `${idp.issuer}/authorize`, params: { acr_values: "gold" } } }),
    )

    await signIn(site)

    expect(await site.browser.session()).not.toBeNull()
  })
})
