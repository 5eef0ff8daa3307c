#!/usr/bin/env node
// Publishes the packages of this repository. With --dry-run: packs and checks them, and prints what would be published,
// without the network.
//
//   node scripts/release.mjs [--dry-run]
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { readCommandLine } from './command-line.mjs'
import { closureOf, manifestOf, packPackages, publishedPackages } from './pack.mjs'
import { pinnedPnpm } from './pnpm.mjs'
import { releasesOf } from './release/changelog.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const { values } = readCommandLine({
  usage: `
Usage: npm run release [-- --dry-run]

Publishes all packages to npm with provenance. It runs in CI, where npm can prove which commit a package was built from.

  --dry-run  pack and check the packages and print what would be published, without the network
  --help     print this help

Exit codes: 0 fine, 1 something is not ready or failed, 2 wrong use.`,
  options: { 'dry-run': { type: 'boolean', default: false } },
})

run(process.execPath, ['scripts/setup.mjs', '--build'])
const problems = findProblems()
for (const problem of problems) console.error(`not ready: ${problem}`)
run(process.execPath, ['scripts/repository-checks/package-exports.mjs'])
if (values['dry-run']) await printPackages()
if (problems.length > 0) process.exit(1)
if (!values['dry-run']) {
  // pnpm leaves out the packages whose version the registry has.
  const [command, first] = await pinnedPnpm()
  run(command, [...first, 'publish', '--recursive', '--access', 'public', '--no-git-checks'])
}

/** What must be true of a commit that is released. */
function findProblems() {
  const found = []
  const status = spawnSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' }).stdout.trim()
  if (status !== '') found.push('files are changed and not committed')
  const versions = new Set(publishedPackages().map((name) => manifestOf(name).version))
  if (versions.size > 1) found.push(`the packages have several versions: ${[...versions].join(', ')}`)
  const [release] = releasesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'))
  const version = manifestOf('turnpike').version
  if (release?.version !== version) {
    found.push(`CHANGELOG.md has no dated section for ${version}: node scripts/version.mjs`)
  }
  const changesets = readdirSync(join(root, '.changeset')).filter((file) => /^(?!README).*\.md$/.test(file))
  if (changesets.length > 0) found.push(`changesets are not part of a version yet: node scripts/version.mjs`)
  return found
}

async function printPackages() {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-release-'))
  try {
    const packed = await packPackages(publishedPackages(), folder)
    console.log('\nwould be published, with provenance and public access:')
    for (const name of inOrder()) {
      const data = readFileSync(packed.get(name))
      const digest = createHash('sha512').update(data).digest('base64')
      const { name: full, version } = manifestOf(name)
      const kB = (bytes) => `${Math.round(bytes / 1000)} kB`
      console.log(
        `  ${`${full}@${version}`.padEnd(32)} ${kB(data.length).padStart(8)} packed, ${kB(gunzipSync(data).length).padStart(8)} unpacked, sha512-${digest.slice(0, 16)}…`,
      )
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A package comes after those that it needs. */
function inOrder() {
  return publishedPackages().sort((a, b) => closureOf(a).size - closureOf(b).size || (a < b ? -1 : 1))
}

function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) process.exit(1)
}
