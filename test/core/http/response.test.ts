import { describe, expect, it } from "@jest/globals"
import { toRecord, toResponse, withReturnedRedirect, type Answer } from "../../../src/core/http/response.js"
import { empty, failure, json, page, problem, redirect, withCookies } from "../../../src/core/http/result.js"
import { AccessDenied } from "../../../src/core/errors.js"
import type { VerifyRequestPage } from "../../../src/core/pages/models.js"

const cookies = [
  { name: "a", value: "1|2", options: { path: "/", httpOnly: true } },
  { name: "b", value: "", options: { maxAge: 0 } },
]
const target = "https://app.example/account"

const verifyRequest: VerifyRequestPage = {
  view: "verify-request",
  theme: { colorScheme: "auto", logo: "", brandColor: "", buttonText: "" },
  site: { url: "https://app.example", host: "app.example" },
  signinUrl: "https://app.example/auth/signin",
}

const answers: readonly (readonly [string, Answer])[] = [
  ["a redirect", redirect(target, cookies) as Answer],
  ["JSON", json({ a: 1 }, { cookies }) as Answer],
  ["an empty answer", empty(405, { allow: "GET, HEAD" }, cookies) as Answer],
  ["a page", page(verifyRequest, 200, cookies) as Answer],
]

describe("every answer", () => {
  it.each(answers)("that is %s may be kept by nobody", (_what, answer) => {
    const { headers } = toResponse(answer)

    expect(headers.get("cache-control")).toBe("private, no-cache, no-store")
    expect(headers.get("expires")).toBe("0")
    expect(headers.get("pragma")).toBe("no-cache")
    expect(headers.get("vary")).toBe("Cookie")
  })

  it.each(answers)("that is %s carries each cookie in a header of its own", (_what, answer) => {
    expect(toResponse(answer).headers.getSetCookie()).toEqual(["a=1%7C2; Path=/; HttpOnly", "b=; Max-Age=0"])
  })
})

describe("a redirect", () => {
  it("has an address, a status and no body", async () => {
    const response = toResponse(redirect(target) as Answer)

    expect(response.status).toBe(302)
    expect(response.headers.get("location")).toBe(target)
    expect(await response.text()).toBe("")
    expect(toResponse(redirect(target, [], 303) as Answer).status).toBe(303)
  })

  it("is a record with its address beside the headers", () => {
    expect(toRecord(redirect(target, cookies) as Answer)).toMatchObject({ status: 302, redirect: target, cookies })
  })

  it("becomes JSON for clients that ask for that, with its cookies", async () => {
    const response = toResponse(withReturnedRedirect(redirect(target, cookies) as Answer))

    expect(response.status).toBe(200)
    expect(response.headers.get("content-type")).toBe("application/json")
    expect(await response.json()).toEqual({ url: target })
    expect(response.headers.getSetCookie()).toHaveLength(2)
  })

  it("is the only answer that changes for them", () => {
    for (const [, answer] of answers.slice(1)) expect(withReturnedRedirect(answer)).toBe(answer)
  })
})

describe("JSON", () => {
  it.each<readonly [unknown, string]>([
    [null, "null"],
    [{ a: undefined, b: null }, '{"b":null}'],
    ["Bad request.", '"Bad request."'],
    [[], "[]"],
  ])("writes %j as %s", async (body, text) => {
    const response = toResponse(json(body) as Answer)

    expect(response.status).toBe(200)
    expect(response.headers.get("content-type")).toBe("application/json")
    expect(await response.text()).toBe(text)
  })

  it("of a problem has a type of its own", async () => {
    const response = toResponse(problem(403, "AccessDenied", { reference: "x" }) as Answer)

    expect(response.status).toBe(403)
    expect(response.headers.get("content-type")).toBe("application/problem+json")
    expect(await response.json()).toEqual({ title: "AccessDenied", status: 403, reference: "x" })
  })
})

describe("a page", () => {
  it("is HTML that no other site may frame, with a policy for what it loads", async () => {
    const response = toResponse(page(verifyRequest) as Answer)

    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8")
    expect(response.headers.get("x-content-type-options")).toBe("nosniff")
    expect(response.headers.get("x-frame-options")).toBe("DENY")
    expect(response.headers.get("content-security-policy")).toContain("frame-ancestors 'none'")
    expect(await response.text()).toMatch(/^<!doctype html>/i)
  })

  it("has a nonce that is in its policy and used once", () => {
    const nonceOf = () =>
      /'nonce-([^']+)'/.exec(
        toResponse(page(verifyRequest) as Answer).headers.get("content-security-policy") ?? "",
      )?.[1]

    expect(nonceOf()).toBeDefined()
    expect(nonceOf()).not.toBe(nonceOf())
  })
})

describe("withCookies", () => {
  it("puts cookies before those of the result", () => {
    const [first, second] = cookies

    expect(withCookies(json(null, { cookies: second ? [second] : [] }), first ? [first] : []).cookies).toEqual(cookies)
  })

  it("reaches failures as well", () => {
    const error = new AccessDenied("no")

    expect(withCookies(failure(error), cookies)).toEqual({ kind: "failure", error, cookies })
  })
})
