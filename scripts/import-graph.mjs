// The imports between the TypeScript files of the project, read as text: which files a file imports, by relative path or
// by the name of a package.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { projectFiles, read, root } from './repository-checks/_files.mjs'

/** Specifiers of static imports, re-exports, dynamic imports and inline import types. */
export function importsOf(text) {
  const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
  const statements = code.matchAll(/(?:^|\n)\s*(?:import|export)\b[^'";]*?\bfrom '([^']+)'/g)
  const calls = code.matchAll(/\bimport\(\s*'([^']+)'\s*\)|(?:^|\n)import '([^']+)'/g)
  return [...statements, ...calls].map(([, one, other]) => one ?? other)
}

/** The tests that reach one of the files by imports, the files themselves included. Paths are relative to the root. */
export function testsThatReach(changed) {
  const files = projectFiles().filter((file) => /\.(ts|mts|mjs)$/.test(file))
  const importers = new Map()
  const entries = packageEntries()
  for (const file of files) {
    for (const target of importsOf(read(file)).flatMap((name) => targetOf(file, name, entries) ?? [])) {
      importers.set(target, [...(importers.get(target) ?? []), file])
    }
  }
  const reached = new Set(changed)
  for (const file of reached) for (const importer of importers.get(file) ?? []) reached.add(importer)
  const isTest = (file) => /\.test\.ts$/.test(file)
  return { related: [...reached].filter(isTest).sort(), all: files.filter(isTest).length }
}

function targetOf(file, name, entries) {
  if (!name.startsWith('.')) return entries.get(name) ?? wildcardEntry(name, entries)
  return normalize(join(dirname(file), name)).replace(/\.js$/, '.ts')
}

/** Source files by the names that other packages import, from the condition `source` of each exports map. */
function packageEntries() {
  const entries = new Map()
  for (const manifest of projectFiles().filter((file) => /^packages\/[^/]+\/package\.json$/.test(file))) {
    const { name, exports = {} } = JSON.parse(readFileSync(join(root, manifest), 'utf8'))
    for (const [path, { source }] of Object.entries(exports)) {
      if (source !== undefined) entries.set(join(name, path), join(dirname(manifest), source))
    }
  }
  return entries
}

function wildcardEntry(name, entries) {
  for (const [pattern, source] of entries) {
    const start = pattern.replace(/\*$/, '')
    if (start === pattern || !name.startsWith(start)) continue
    const file = source.replace('*', name.slice(start.length))
    if (existsSync(join(root, file))) return file
  }
  return undefined
}
