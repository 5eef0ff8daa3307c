#!/usr/bin/env node
// Builds, then runs the fuzzer: benchmarks/src/fuzz/main.ts.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readCommandLine } from './command-line.mjs'

readCommandLine({
  usage: `
Usage: npm run fuzz [-- OPTIONS]

Builds, then drives all front ends, compares http1 with node:http, drives the HTTP/1.1 client, the
parsers of definitions, OpenAPI documents, YAML, templates, URIs,
paths and JSON bodies, cluster messages and Redis replies with inputs made from a seed.

  --seconds NUMBER  time for all targets together; default: 60
  --seed NUMBER     first seed; default: a random one, which is printed
  --cases NUMBER    this many cases of each target, regardless of the time
  --only TARGET     only this target, for example front-end-http1; a wrong name prints all of them

A finding is printed with the command that reproduces it. Exit codes: 0 nothing found, 1 something found, 2 wrong use.`,
  options: {
    seconds: { type: 'string', least: 1 },
    seed: { type: 'string', least: 0 },
    cases: { type: 'string', least: 1 },
    only: { type: 'string' },
  },
})

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const run = (args) => spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1
const built = run(['scripts/setup.mjs', '--build'])
process.exit(built === 0 ? run(['benchmarks/dist/fuzz/main.js', ...process.argv.slice(2)]) : built)
