#!/usr/bin/env node
// Prepares a fresh clone: installs the dependencies of the lock file with the pinned pnpm, and builds with --build.
//
//   node scripts/setup.mjs [--build]
//
// Skips finished work: a stamp file in node_modules holds the hash of the installed lock file.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readCommandLine } from './command-line.mjs'
import { pinnedPnpm, pinnedVersion } from './pnpm.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Turnpike needs Node 20.19 or newer; this is ${process.versions.node}.`)
  process.exit(1)
}

const { values } = readCommandLine({
  usage: `
Usage: node scripts/setup.mjs [--build]

Prepares a fresh clone: installs the dependencies of the lock file with the pinned pnpm (scripts/pnpm.mjs). Skips finished work.

  --build  build as well
  --help   print this help

Exit codes: 0 fine, 1 something failed, 2 wrong use.`,
  options: { build: { type: 'boolean' } },
})

function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  if (error !== undefined || status !== 0) {
    console.error(`${command} ${args.join(' ')} failed${error === undefined ? '' : `: ${error.message}`}`)
    process.exit(1)
  }
}

const lockHash = createHash('sha256')
  .update(readFileSync(join(root, 'pnpm-lock.yaml')))
  .digest('hex')
const stamp = join(root, 'node_modules', '.turnpike-installed')
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lockHash) {
  console.error(`installing dependencies with pnpm ${pinnedVersion()} …`)
  const [command, first] = pinnedPnpm()
  run(command, [...first, 'install', '--frozen-lockfile', '--reporter=append-only'])
  writeFileSync(stamp, lockHash)
}

if (values.build === true) {
  run(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-b'])
  run(process.execPath, [join(root, 'scripts', 'remove-stale-output.mjs')])
  run(process.execPath, [join(root, 'scripts', 'bundle.mjs')])
  run(process.execPath, [join(root, 'scripts', 'commonjs-entries.mjs')])
  run(process.execPath, [join(root, 'scripts', 'sbom.mjs')])
}
