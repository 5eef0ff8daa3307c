#!/usr/bin/env node
// Checks that the index of core exports only names that other packages, benchmarks, examples or scripts use, and that it
// names each of them. Types of declarations that the compiler infers need an export as well; they are listed here.
import { projectFiles, read, report } from './_files.mjs'

/** Types that occur only in inferred types of other packages. */
const inferred = new Set(['Field', 'ObjectShape', 'InjectedRequest'])
const index = 'packages/core/src/index.ts'

const used = new Set()
for (const file of projectFiles()) {
  if (!/\.(ts|js|mjs)$/.test(file) || file.startsWith('packages/core/src/')) continue
  for (const [, names] of read(file).matchAll(
    /\b(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s*from\s*'@turnpike\/core'/g,
  )) {
    for (const name of names.split(','))
      used.add(
        name
          .trim()
          .replace(/^type /, '')
          .split(' as ')[0],
      )
  }
}

const problems = []
for (const [, names] of read(index).matchAll(/^export (?:type )?(\*|\{[^}]*\}) from/gm)) {
  if (names === '*') problems.push(`${index}: names each export instead of export *`)
  else {
    const exported = names
      .slice(1, -1)
      .split(',')
      .map((name) =>
        name
          .trim()
          .replace(/^type /, '')
          .split(' as ')
          .at(-1),
      )
    for (const name of exported) {
      if (name !== '' && !used.has(name) && !inferred.has(name))
        problems.push(`${index}: no other package uses ${name}`)
    }
  }
}
report('exports of core', problems)
