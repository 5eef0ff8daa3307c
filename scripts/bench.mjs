#!/usr/bin/env node
// Builds, then runs the benchmarks: benchmarks/src/main.ts.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readBenchOptions } from './bench/command-line.mjs'

readBenchOptions()
const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const run = (file, args, options = {}) =>
  spawnSync(process.execPath, [join(root, file), ...args], { stdio: 'inherit', ...options }).status ?? 1
const built = run('scripts/setup.mjs', ['--build'], { cwd: root })
process.exit(built === 0 ? run('benchmarks/dist/main.js', process.argv.slice(2)) : built)
