#!/usr/bin/env node
// Checks the direction of imports, type-only imports included: which package may import which, that the rooms of each
// folder of _floors.mjs form floors, and that no files of a package import each other in a cycle. Also checks that no
// packages depend on each other in a cycle, development dependencies included. docs/architecture.md has the tables.
//
//   node scripts/repository-checks/import-direction.mjs [--list FOLDER]
//
// --list prints the imports between the rooms of a folder. Tests and their support files are not checked.
import { dirname, join, normalize } from 'node:path'
import { importsOf } from '../import-graph.mjs'
import { cyclesOf, packageCycles } from './_cycles.mjs'
import { projectFiles, read, report } from './_files.mjs'
import { checkFloors, roomArrows } from './_floors.mjs'

/** Packages that each package may import. */
const mayImport = {
  core: [],
  upstream: ['core'],
  // Front ends share the streams of sockets with the clients for upstreams.
  adapters: ['core', 'upstream'],
  'mgmt-api': ['core'],
  'dashboard-sso': ['core'],
  // Sending and comparing requests to any server; testkit and judge share it.
  exchange: [],
  // Writers of findings that commands of every package use.
  reports: [],
  // What users install to run a gateway; nothing that only tests, simulations or benchmarks need.
  turnpike: ['core', 'upstream', 'adapters', 'mgmt-api', 'dashboard-sso', 'reports'],
  testkit: ['core', 'exchange', 'judge'],
  'cluster-sim': ['core', 'adapters', 'testkit'],
  // Judges any gateway from outside, so it knows nothing of this one.
  judge: ['exchange', 'reports'],
  dev: ['core', 'adapters', 'mgmt-api', 'testkit', 'cluster-sim', 'turnpike', 'reports'],
}

const maxLayers = 6
const maxFolders = 14

const problems = []
const isTest = (file) => /\.(test|prop\.test|test-d)\.ts$|\/testing\/|^packages\/[^/]+\/test\//.test(file)
const sources = projectFiles().filter((name) => /^packages\/[^/]+\/src\/.*\.ts$/.test(name) && !isTest(name))

/** Relative imports of each source file, for the search for cycles. */
const edges = new Map()
for (const file of sources) {
  const [, pkg] = file.split('/')
  const targets = []
  for (const from of importsOf(read(file))) {
    const match = /^@turnpike\/([^/]+)|^(turnpike)$/.exec(from)
    const name = match?.[1] ?? match?.[2]
    if (name !== undefined && name !== pkg && !mayImport[pkg]?.includes(name)) {
      problems.push(`${file}: package ${pkg} may not import ${from}`)
    }
    if (from.startsWith('node:') && pkg === 'core') problems.push(`${file}: core may not import ${from}`)
    if (!from.startsWith('.')) continue
    const target = normalize(join(dirname(file), from))
    targets.push(target)
  }
  edges.set(file, targets)
}
const { floors, problems: floorProblems } = checkFloors(edges)
problems.push(...floorProblems, ...contractProblems(edges))
const folders = new Set(sources.flatMap((file) => /^packages\/core\/src\/([^/]+)\//.exec(file)?.[1] ?? []))
if (folders.size > maxFolders) problems.push(`packages/core/src has ${folders.size} folders; at most ${maxFolders}`)
const layers = floors['packages/core/src']
if (layers.length > maxLayers) problems.push(`packages/core/src has ${layers.length} layers; at most ${maxLayers}`)
for (const cycle of cyclesOf(edges)) problems.push(`files import each other in a cycle: ${cycle.join(', ')}`)
const listed = process.argv[process.argv.indexOf('--list') + 1]
const manifests = projectFiles().filter((name) => /^(packages\/[^/]+|[^/]+)\/package\.json$/.test(name))
for (const cycle of packageCycles(manifests.map((name) => JSON.parse(read(name))))) {
  problems.push(`packages depend on each other in a cycle: ${cycle.join(', ')}`)
}
if (process.argv.includes('--list')) {
  for (const [arrow, files] of [...roomArrows(listed, edges)].sort()) console.log(`${arrow}  (${files.length})`)
}
report('import direction', problems)

/** Stages of all phases depend on the contract, so no file of it imports another part of the pipeline. */
function contractProblems(graph) {
  const [pipeline, contract] = ['packages/core/src/pipeline/', 'packages/core/src/pipeline/contract/']
  return [...graph].flatMap(([file, targets]) =>
    targets
      .filter((target) => file.startsWith(contract) && target.startsWith(pipeline) && !target.startsWith(contract))
      .map((target) => `${file}: pipeline/contract may not import ${target}`),
  )
}
