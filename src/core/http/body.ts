/** Request bodies: read up to a limit, and parsed into plain values. */

import { readBytes } from "../bytes.js"

/** The fields of a form or the members of a JSON object. Values of a form are strings, or nested by `a[b]` names. */
export type RequestBody = Readonly<Record<string, unknown>>

/** The most bytes that a request body may have. */
export const bodyLimit = 64 * 1024
const maxFields = 200
const maxDepth = 5

/** A body that cannot be accepted, with the status that says why. */
export class BodyError extends Error {
  constructor(
    readonly status: 400 | 413,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.name = "BodyError"
  }
}

/** @throws BodyError(413) as soon as the stream is longer than 64 KB. */
export async function readBodyBytes(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await readBytes(stream, bodyLimit)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new BodyError(413, `the request body is larger than ${bodyLimit} bytes`)
  }
}

/**
 * Parses a body by its media type. JSON, URL-encoded and multipart forms are understood; anything else, and no body
 * at all, gives `undefined`.
 * @throws BodyError(400) when it is malformed.
 */
export async function parseBody(contentType: string, bytes: Uint8Array<ArrayBuffer>): Promise<RequestBody | undefined> {
  const [mediaType = ""] = contentType.toLowerCase().split(";", 1)
  switch (mediaType.trim()) {
    case "application/json":
      return parseJson(bytes)
    case "application/x-www-form-urlencoded":
      return nestFields(new URLSearchParams(decodeText(bytes)))
    case "multipart/form-data":
      return nestFields(await multipartFields(contentType, bytes))
    default:
      return undefined
  }
}

/** Takes over a body that another parser has read already. */
export function adoptBody(parsed: unknown): RequestBody | undefined {
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return undefined
  return withoutUnsafeNames(parsed, 0) as RequestBody
}

function parseJson(bytes: Uint8Array): RequestBody | undefined {
  if (bytes.byteLength === 0) return undefined
  const text = decodeText(bytes)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // What the parser says quotes the body, which may hold a password.
    throw new BodyError(400, "the request body is not JSON")
  }
  const body = adoptBody(value)
  if (body === undefined) throw new BodyError(400, "the request body must be a JSON object")
  return body
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new BodyError(400, "the request body is not UTF-8", { cause })
  }
}

async function multipartFields(
  contentType: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<readonly [string, string][]> {
  let form: FormData
  try {
    form = await new Response(bytes, { headers: { "content-type": contentType } }).formData()
  } catch (cause) {
    throw new BodyError(400, "the multipart body is malformed", { cause })
  }
  // Files have no meaning in a sign-in.
  return [...form.entries()]
    .flatMap(([name, value]) => (typeof value === "string" ? [[name, value] as const] : []))
    .map(([name, value]) => [name, value])
}

/** Turns `a[b]=x` into `{ a: { b: "x" } }`, `a[]=x` and repeated names into lists. */
function nestFields(fields: Iterable<readonly [string, string]>): RequestBody {
  const body: Record<string, unknown> = {}
  let count = 0
  for (const [name, value] of fields) {
    count += 1
    if (count > maxFields) throw new BodyError(400, `the form has more than ${maxFields} fields`)
    const path = fieldPath(name)
    if (!path.some(isUnsafeName)) setField(body, path, value)
  }
  return body
}

const bracketName = /^([^[\]]+)((?:\[[^[\]]*\])+)$/

function fieldPath(name: string): readonly string[] {
  const [, head, brackets] = bracketName.exec(name) ?? []
  if (head === undefined || brackets === undefined) return [name]
  const path = [head, ...brackets.slice(1, -1).split("][")]
  return path.length > maxDepth ? [name] : path
}

function setField(target: Record<string, unknown>, path: readonly string[], value: string): void {
  const [name = "", ...rest] = path
  const present = Object.hasOwn(target, name) ? target[name] : undefined
  if (rest.length === 0 || (rest.length === 1 && rest[0] === "")) {
    const isList = rest.length === 1
    target[name] = present === undefined ? (isList ? [value] : value) : [present, value].flat()
    return
  }
  const isRecord = typeof present === "object" && present !== null && !Array.isArray(present)
  const next: Record<string, unknown> = isRecord ? (present as Record<string, unknown>) : {}
  target[name] = next
  setField(next, rest, value)
}

function isUnsafeName(name: string): boolean {
  return name === "__proto__" || name === "constructor" || name === "prototype"
}

/** Copies a value without names that reach an object's prototype. */
function withoutUnsafeNames(value: unknown, depth: number): unknown {
  if (depth > 32) throw new BodyError(400, "the request body is nested too deeply")
  if (Array.isArray(value)) return value.map((each) => withoutUnsafeNames(each, depth + 1))
  if (typeof value !== "object" || value === null) return value
  const entries = Object.entries(value).filter(([name]) => !isUnsafeName(name))
  return Object.fromEntries(entries.map(([name, each]) => [name, withoutUnsafeNames(each, depth + 1)]))
}
