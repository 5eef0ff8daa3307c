#!/usr/bin/env node
// Builds, then runs the benchmarks: benchmarks/src/main.ts.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readCommandLine } from './command-line.mjs'

const parts = {
  'in-process': 'decisions, stages, batches and reloads without a socket (µs of CPU, ms)',
  scripts: 'a scripted endpoint: CPU of the main thread (µs)',
  sim: 'virtual time: a million requests, a simulated cluster (s)',
  start: 'from process start to the first proxied response (ms), and memory (MiB)',
  loopback: 'a request beside nginx on the same upstream (µs of CPU)',
  references: 'other proxies beside nginx (µs of CPU)',
  latency: 'latency at a constant rate (ms)',
  variants: 'front ends, workers and bodies beside nginx (µs of CPU)',
  clients: 'our upstream client and undici (µs of CPU)',
  telemetry: 'the cost of OpenTelemetry: off, sampled, with metrics (µs of CPU)',
  batch: 'batches beside single requests (ms of CPU)',
  growth: 'the cost of a request with more APIs and more keys (µs of CPU)',
  reload: 'reloads under load: failed requests, stalls of the event loop (ms)',
  hostile: 'input that is made to block the event loop: the longest stall (ms)',
}
const width = Math.max(...Object.keys(parts).map((name) => name.length))

readCommandLine({
  usage: `
Usage: npm run bench [-- OPTIONS]

Builds, measures, prints a table, and writes it as JSON to benchmarks/results/. Everything takes about an hour.
Parts over loopback need nginx and wrk.

  --quick               fewer and shorter rounds
  --only PART[,PART …]  only these parts
  --scenario TEXT       only loopback scenarios and hostile cases whose name contains TEXT, such as "redis"
  --budgets             only rows with a budget; exits with 1 if one is missed
  --other "CMD"         another gateway to compare; {port} and {upstream} are replaced
  --json FILE           write the result here
  --help                print this help

Parts, with the unit of their rows:
${Object.entries(parts)
  .map(([name, text]) => `  ${name.padEnd(width)}  ${text}`)
  .join('\n')}

Exit codes: 0 fine, 1 a budget was missed or something failed, 2 wrong use.`,
  options: {
    quick: { type: 'boolean' },
    budgets: { type: 'boolean' },
    json: { type: 'string' },
    only: { type: 'string', choices: Object.keys(parts), several: true },
    other: { type: 'string' },
    scenario: { type: 'string' },
  },
})

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const run = (args) => spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1
const built = run(['scripts/setup.mjs', '--build'])
process.exit(built === 0 ? run(['benchmarks/dist/main.js', ...process.argv.slice(2)]) : built)
