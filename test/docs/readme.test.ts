import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "@jest/globals"
import { manifest } from "../architecture/manifest.js"
import { listFiles, project } from "../architecture/modules.js"
import { checkModules, modulesOf } from "./check-blocks.js"
import { readAnchors, readBlocks, readRelativeLinks, readScripts } from "./markdown.js"

const textOf = (document: string): string => readFileSync(join(project, document), "utf8")
const docs = existsSync(join(project, "docs")) ? listFiles("docs").filter((path) => path.endsWith(".md")) : []
const documents = ["README.md", ...docs]

/** Links of a document that lead nowhere. */
function findBrokenLinks(document: string, text: string): readonly string[] {
  return readRelativeLinks(text).filter((address) => {
    const [path = "", anchor] = address.split("#")
    const target = path === "" ? document : join(dirname(document), decodeURIComponent(path))
    if (!existsSync(join(project, target))) return true
    return anchor !== undefined && target.endsWith(".md") && !readAnchors(textOf(target)).has(anchor)
  })
}

function findMissingScripts(text: string): readonly string[] {
  return readScripts(text).filter((name) => !(name in manifest.scripts))
}

describe("the code in the documents", () => {
  const modules = new Map(documents.flatMap((document) => [...modulesOf(document, textOf(document))]))

  it("shows how to begin", () => {
    expect([...modules.keys()].some((path) => path.includes("README.md#"))).toBe(true)
  })

  it("passes the type checker against the source", () => {
    expect(checkModules(modules)).toEqual([])
  }, 60_000)
})

describe.each(documents)("%s", (document) => {
  it("links to files and headings that are there", () => {
    expect(findBrokenLinks(document, textOf(document))).toEqual([])
  })

  it("names scripts that package.json has", () => {
    expect(findMissingScripts(textOf(document))).toEqual([])
  })
})

describe("the checks of documents", () => {
  const text = [
    "# A `small` title, [linked](https://example.test)!",
    "Run `npm run nothing` or `npm nowhere`, after `npm install`.",
    "See [the file](missing.md), [a part](#gone), ![picture](README.md) and [the web](https://example.test).",
    "```ts",
    'import { ExpressAuth } from "latchkey"',
    "",
    "ExpressAuth({ providers: 1 })",
    "```",
    "- in a list",
    "  ```js",
    "  const answer = missing",
    "  ```",
    "```sh",
    "const [not](code.md)",
    "```",
  ].join("\n")

  it("read blocks, with their language and line", () => {
    expect(readBlocks(text).map(({ language, line }) => [language, line])).toEqual([
      ["ts", 5],
      ["js", 11],
      ["sh", 14],
    ])
    expect(readBlocks(text)[1]?.code).toBe("const answer = missing\n")
  })

  it("find what the type checker finds, at its line", () => {
    expect(checkModules(modulesOf("BAD.md", text))).toEqual([
      expect.stringMatching(/^BAD\.md#5\.ts:7 TS2322: /),
      expect.stringMatching(/^BAD\.md#11\.js:11 TS2304: /),
    ])
  }, 60_000)

  it("find links to files and headings that are not there", () => {
    expect(findBrokenLinks("BAD.md", text.replace("[a part](#gone)", "[a part](README.md#gone)"))).toEqual([
      "missing.md",
      "README.md#gone",
    ])
    expect([...readAnchors(text)]).toEqual(["a-small-title-linked"])
  })

  it("find scripts that are not there", () => {
    expect(findMissingScripts(text)).toEqual(["nothing", "nowhere"])
  })
})
