#!/usr/bin/env node
// Searches for the seeded bug of every mutant and writes the seed and the path that detect it to fixtures/mutants.json,
// which a test replays, and to docs/verification-mutants.md. Run `npm run build` first.
//
//   node scripts/mutants-page.mjs [--keep]     --keep: searches only for mutants that the file does not list yet
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { clusterMutants, everyMutant } from '../packages/cluster-sim/dist/index.js'
import { managementUnderTest } from '../packages/mgmt-api/dist/testing/management-under-test.js'
import { findMutant, mutantsPage } from '../packages/testkit/dist/index.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const file = join(root, 'fixtures', 'mutants.json')
const keep = process.argv.includes('--keep') && existsSync(file)
const known = new Map((keep ? JSON.parse(readFileSync(file, 'utf8')) : []).map((mutant) => [mutant.name, mutant]))
// Shrinking a run of a whole cluster would take hours.
const unshrunk = new Set(clusterMutants.map(({ name }) => name))
const found = []
for (const mutant of everyMutant(managementUnderTest)) {
  const before = known.get(mutant.name)
  if (before === undefined) console.error(`${mutant.property}: ${mutant.name}`)
  found.push(before ?? (await findMutant(mutant, { shrink: !unshrunk.has(mutant.name) })))
}
writeFileSync(file, `${JSON.stringify(found, null, 2)}\n`)
writeFileSync(join(root, 'docs', 'verification-mutants.md'), mutantsPage(found))
