#!/usr/bin/env node
// Builds, then runs the soak test: benchmarks/src/soak/main.ts.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readCommandLine } from './command-line.mjs'

const { values } = readCommandLine({
  usage: `
Usage: npm run soak [-- OPTIONS]

Builds, then checks memory, handles, sockets and responses of gateways under difficult traffic: ten hours of a whole
gateway at virtual speed, large bodies and broken connections, and an hour of load with faults in real time. Prints what
is done and how much time is left. Everything takes about an hour and a half.

  --small               sizes that fit into a test run: some minutes
  --minutes N           minutes of load with faults in real time, over all front ends; default 60, with --small 1
  --hours N             virtual hours; default 10, with --small 0.5
  --front-end http1|node|uws  only this front end; default: http1 and node, one after the other
  --only PART[,PART …]  virtual (hours at virtual speed), bodies (larger than memory), breaks (upstreams and clients that
                        disconnect), readers (that stop) or faults (load in real time while the upstream and Redis are
                        killed, reloads come in storms, and clients disconnect or read slowly)
  --html FILE           write memory, handles and stalls of virtual and faults as a page with charts
  --json FILE           write the samples and verdicts as JSON
  --help                print this help

Ends with a line "N passed, N failed". Exit codes: 0 fine, 1 something failed, 2 wrong use.`,
  options: {
    small: { type: 'boolean' },
    'front-end': { type: 'string', choices: ['http1', 'node', 'uws'] },
    only: { type: 'string', choices: ['virtual', 'bodies', 'breaks', 'readers', 'faults'], several: true },
    minutes: { type: 'string' },
    hours: { type: 'string' },
    html: { type: 'string' },
    json: { type: 'string' },
  },
})

for (const name of ['minutes', 'hours']) {
  const value = values[name]
  if (value !== undefined && !(Number(value) > 0)) {
    console.error(`error: --${name} is to be a number above 0, not ${value} (--help lists the options)`)
    process.exit(2)
  }
}
const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const run = (args) => spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1
const built = run(['scripts/setup.mjs', '--build'])
process.exit(built === 0 ? run(['--expose-gc', 'benchmarks/dist/soak/main.js', ...process.argv.slice(2)]) : built)
