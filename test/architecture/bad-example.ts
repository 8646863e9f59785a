import { parseModule, type Module } from "./modules.js"

/** Modules by path, whose text breaks a rule. */
export function modulesOf(texts: Readonly<Record<string, string>>): readonly Module[] {
  return Object.entries(texts).map(([path, text]) => parseModule(path, text))
}
