#!/usr/bin/env node
// Prepares a fresh clone: installs the dependencies of the lock file with the pinned pnpm, and builds with --build.
//
//   node scripts/setup.mjs [--build]
//
// Skips finished work: a stamp file in node_modules holds the hash of the installed lock file.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readCommandLine } from './command-line.mjs'
import { pinnedPnpm, pinnedVersion } from './pnpm.mjs'
import { quietStep, runQuietly } from './quiet-steps.mjs'

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

const lockHash = createHash('sha256')
  .update(readFileSync(join(root, 'pnpm-lock.yaml')))
  .digest('hex')
const stamp = join(root, 'node_modules', '.turnpike-installed')
try {
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lockHash) {
    await quietStep(`installing dependencies with pnpm ${pinnedVersion()}`, install)
    writeFileSync(stamp, lockHash)
  }
  if (values.build === true) await quietStep('building', build)
} catch (cause) {
  console.error(cause.message)
  process.exit(1)
}

async function install() {
  const [command, first] = await pinnedPnpm()
  const args = [...first, 'install', '--frozen-lockfile', '--reporter=append-only']
  const output = await runQuietly(command, args, { cwd: root })
  const added = [...output.matchAll(/\badded (\d+)/g)].at(-1)?.[1]
  return added === undefined ? 'checked the installed packages' : `installed ${added} packages`
}

async function build() {
  await runQuietly(process.execPath, [join(root, 'scripts', 'generate.mjs')], { cwd: root })
  const tsc = [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-b']
  await runQuietly(process.execPath, process.stderr.isTTY ? [...tsc, '--pretty'] : tsc, { cwd: root })
  for (const script of ['remove-stale-output', 'bundle', 'commonjs-entries', 'sbom']) {
    await runQuietly(process.execPath, [join(root, 'scripts', `${script}.mjs`)], { cwd: root })
  }
  return 'built'
}
