#!/usr/bin/env node
// Checks the entry points of core. Packages of this repository import its folders (`@turnpike/core/session`), whose indexes
// export only names that other packages, benchmarks, examples or scripts use. The index of the package itself is the public
// API and stays small.
import { projectFiles, read, report } from './_files.mjs'

/** Types that occur only in inferred types of other packages. */
const inferred = new Set(['Field', 'ObjectShape', 'InjectedRequest'])
const maxPublicNames = 65
const core = 'packages/core/src'
const problems = []

/** Names that files outside of core import, by entry point. */
const used = new Map()
for (const file of projectFiles()) {
  if (!/\.(ts|js|mjs)$/.test(file) || file.startsWith(`${core}/`)) continue
  const text = read(file)
  if (/^packages\/.*\/src\//.test(file) && /from '@turnpike\/core'/.test(text))
    problems.push(`${file}: imports @turnpike/core; import the folder, for example @turnpike/core/session`)
  const imports = /\b(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s*from\s*'@turnpike\/core\/([^']+)'/g
  for (const [, names, entry] of text.matchAll(imports)) {
    used.set(entry, [...(used.get(entry) ?? []), ...namesOf(names).map((name) => name.split(' as ')[0])])
  }
}
for (const [entry, names] of used) {
  const index = `${core}/${entry}/index.ts`
  for (const name of exportsOf(index)) {
    if (!names.includes(name) && !inferred.has(name)) problems.push(`${index}: no other package uses ${name}`)
  }
}
const publicNames = exportsOf(`${core}/index.ts`)
if (publicNames.length > maxPublicNames)
  problems.push(`${core}/index.ts exports ${publicNames.length} names; at most ${maxPublicNames}`)
report('exports of core', problems)

function exportsOf(index) {
  return [...read(index).matchAll(/^export (?:type )?(\*|\{[^}]*\}) from/gm)].flatMap(([, names]) => {
    if (names !== '*') return namesOf(names.slice(1, -1)).map((name) => name.split(' as ').at(-1))
    problems.push(`${index}: names each export instead of export *`)
    return []
  })
}

function namesOf(list) {
  return list
    .split(',')
    .map((name) => name.trim().replace(/^type /, ''))
    .filter((name) => name !== '')
}
