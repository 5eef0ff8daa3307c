#!/usr/bin/env node
// Generates docs/capacity.md from the measurements in benchmarks/capacity.json, or computes a plan for another load.
//
//   node scripts/capacity-page.mjs                     writes the page; needs a build
//   node scripts/capacity-page.mjs --measure [--quick] measures first: an idle machine with redis-server and wrk
//   node scripts/capacity-page.mjs --rps 200000 --keys 50000 --apis 200   prints the plan of your own load
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { capacityPage, planOf } from './capacity/page.mjs'
import { readCommandLine } from './command-line.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const parts = ['simulation', 'redis', 'requests', 'memory']
const numbers = {
  rps: 'requestsPerSecond',
  keys: 'keys',
  apis: 'apis',
  'request-bytes': 'requestBytes',
  'response-bytes': 'responseBytes',
  'counted-percent': 'countedShare',
  cores: 'processesPerMachine',
}

const { values } = readCommandLine({
  usage: `
Usage: node scripts/capacity-page.mjs [OPTIONS]

Writes docs/capacity.md from the measurements in benchmarks/capacity.json. Needs a build.

  --measure             measure first: about ten minutes on an idle machine with redis-server and wrk
  --only PART           measure only this part: ${parts.join(', ')}
  --quick               shorter measurements
  --rps N               print the plan for N requests per second, and write nothing; also
                        --keys N, --apis N, --request-bytes N, --response-bytes N, --cores N (of a machine) and
                        --counted-percent N (requests that are counted in Redis)
  --help                print this help

Exit codes: 0 fine, 1 a measurement failed, 2 wrong use.`,
  options: {
    measure: { type: 'boolean' },
    quick: { type: 'boolean' },
    only: { type: 'string', choices: parts },
    ...Object.fromEntries(Object.keys(numbers).map((name) => [name, { type: 'string', least: 0 }])),
  },
})

const file = join(root, 'benchmarks', 'capacity.json')
if (values.measure) {
  const words = ['--max-old-space-size=10240', 'benchmarks/dist/capacity/main.js', '--json', file]
  if (values.quick) words.push('--quick')
  if (values.only !== undefined) words.push('--only', values.only)
  const { status } = spawnSync(process.execPath, words, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(1)
  spawnSync(join(root, 'node_modules', '.bin', 'biome'), ['check', '--write', file], { cwd: root, stdio: 'ignore' })
}
const results = JSON.parse(readFileSync(file, 'utf8'))
const own = Object.entries(numbers).filter(([name]) => values[name] !== undefined)
if (own.length > 0) {
  const change = Object.fromEntries(
    own.map(([name, field]) => [field, name === 'counted-percent' ? Number(values[name]) / 100 : Number(values[name])]),
  )
  try {
    for (const [what, value] of planOf(results, change).rows) console.log(`${what.padEnd(62)} ${value}`)
  } catch (cause) {
    console.error(`error: ${cause.message}`)
    process.exit(2)
  }
} else writeFileSync(join(root, 'docs', 'capacity.md'), capacityPage(results))
