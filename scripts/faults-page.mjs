#!/usr/bin/env node
// Looks for every planted fault and writes how each was found: fixtures/planted-faults.json, which a test replays, and
// docs/verification-faults.md. Needs the build.
//
//   node scripts/faults-page.mjs [--keep]     --keep: looks only for faults that are not in the file yet
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { clusterFaults, everyFault, faultsPage } from '../packages/cluster-sim/dist/index.js'
import { findFault } from '../packages/testkit/dist/index.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const file = join(root, 'fixtures', 'planted-faults.json')
const keep = process.argv.includes('--keep') && existsSync(file)
const known = new Map((keep ? JSON.parse(readFileSync(file, 'utf8')) : []).map((fault) => [fault.name, fault]))
// Runs of whole clusters take their time: they are found, not made short.
const unshrunk = new Set(clusterFaults.map(({ name }) => name))
const found = []
for (const fault of everyFault) {
  const before = known.get(fault.name)
  if (before === undefined) console.error(`${fault.law}: ${fault.name}`)
  found.push(before ?? (await findFault(fault, { shrink: !unshrunk.has(fault.name) })))
}
writeFileSync(file, `${JSON.stringify(found, null, 2)}\n`)
writeFileSync(join(root, 'docs', 'verification-faults.md'), faultsPage(found))
