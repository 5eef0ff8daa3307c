#!/usr/bin/env node
// Builds, then runs the soak test: benchmarks/src/soak/main.ts.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readCommandLine } from './command-line.mjs'

readCommandLine({
  usage: `
Usage: npm run soak [-- OPTIONS]

Builds, then sends difficult traffic through a gateway process, and checks memory, sockets and responses. Takes some
minutes.

  --small               sizes that fit into a test run
  --front-end uws|node  only this front end; default: both, one after the other
  --only PART           bodies (larger than memory), breaks (upstreams and clients that disconnect) or readers (that stop)
  --help                print this help

Ends with a line "N passed, N failed". Exit codes: 0 fine, 1 something failed, 2 wrong use.`,
  options: {
    small: { type: 'boolean' },
    'front-end': { type: 'string', choices: ['uws', 'node'] },
    only: { type: 'string', choices: ['bodies', 'breaks', 'readers'] },
  },
})

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const run = (args) => spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1
const built = run(['scripts/setup.mjs', '--build'])
process.exit(built === 0 ? run(['benchmarks/dist/soak/main.js', ...process.argv.slice(2)]) : built)
