/** Which floor of the house a file stands on. An import leads to the same floor or down. */
import type { Module } from "./modules.js"

/** The plan of the house: a file, or a folder ending in a slash. The longest entry that fits a path counts. */
export const plan: Readonly<Record<string, number>> = {
  "src/index.ts": 10,
  "src/next/": 10,
  "src/qwik/": 10,
  "src/solid/": 10,
  "src/astro/": 10,
  "src/react/": 10,
  "src/testing/": 10,
  "src/cli/": 10,
  "src/express/": 9,
  "src/core/index.ts": 9,
  "src/core/jwt.ts": 9,
  "src/core/auth.ts": 8,
  "src/core/dispatch.ts": 8,
  "src/core/failures.ts": 8,
  "src/core/actions/": 7,
  "src/core/sign-in/": 6,
  "src/core/provider-tokens/": 6,
  "src/core/sign-out/": 6,
  "src/core/oauth/": 5,
  "src/core/engine/": 4,
  "src/core/sessions/": 3,
  "src/core/accounts/": 2,
  "src/core/config/": 2,
  "src/core/http/": 2,
  "src/core/crypto/": 1,
  "src/core/pages/": 1,
  "src/providers/": 1,
  "src/adapters/": 1,
  "src/client/": 1,
  "src/core/storage/": 1,
  "src/core/types.ts": 0,
  "src/core/awaitable.ts": 0,
  "src/core/deadline.ts": 0,
  "src/core/bytes.ts": 0,
  "src/core/error-table.ts": 0,
  "src/core/errors.ts": 0,
  "src/core/is-object.ts": 0,
  "src/core/symbols.ts": 0,
  "src/core/thrown.ts": 0,
  "src/core/unreachable.ts": 0,
}

export function floorOf(path: string): number | undefined {
  const [closest] = Object.keys(plan)
    .filter((place) => (place.endsWith("/") ? path.startsWith(place) : path === place))
    .sort((one, other) => other.length - one.length)
  return closest === undefined ? undefined : plan[closest]
}

export function findHomeless(modules: readonly Module[]): readonly string[] {
  return modules
    .filter(({ path }) => floorOf(path) === undefined)
    .map(({ path }) => `${path} stands on no floor: give it one in test/architecture/floors.ts`)
}

/** Imports that lead up. Types count: what a lower floor must know of a higher one is described on the lower. */
export function findClimbs(modules: readonly Module[]): readonly string[] {
  return modules.flatMap(({ path, imports }) =>
    imports.flatMap(({ targets, line, isErased }) =>
      targets
        .filter((target) => (floorOf(target) ?? 0) > (floorOf(path) ?? Infinity))
        .map(
          (target) =>
            `${path}:${line} (floor ${floorOf(path)}) imports ${isErased ? "types of " : ""}${target} (floor ${floorOf(target)})`,
        ),
    ),
  )
}

const signInKind = /^src\/core\/sign-in\/(oauth|email|credentials|webauthn)\//

/** Imports from one kind of sign-in into another. */
export function findKindCrossings(modules: readonly Module[]): readonly string[] {
  return modules.flatMap(({ path, imports }) => {
    const own = signInKind.exec(path)?.[1]
    if (own === undefined) return []
    return imports.flatMap(({ targets, line }) =>
      targets
        .filter((target) => (signInKind.exec(target)?.[1] ?? own) !== own)
        .map((target) => `${path}:${line} imports ${target}, another kind of sign-in`),
    )
  })
}
