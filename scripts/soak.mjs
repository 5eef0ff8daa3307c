#!/usr/bin/env node
// Builds, then soaks the gateway: see benchmarks/src/soak/main.ts for the options.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const run = (args) => spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1
const built = run(['scripts/setup.mjs', '--build'])
process.exit(built === 0 ? run(['benchmarks/dist/soak/main.js', ...process.argv.slice(2)]) : built)
