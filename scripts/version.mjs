#!/usr/bin/env node
// Makes the next version: changesets raises the version of all packages, and CHANGELOG.md gets a dated section with the
// entries of the changesets and of Unreleased. The first release has the version that the packages have.
//
//   node scripts/version.mjs [--date YYYY-MM-DD] [--root FOLDER]
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import readChangesets from '@changesets/read'
import { readCommandLine } from './command-line.mjs'
import { bumpOf, parseChangelog, readEntries, releaseChangelog, releasesOf } from './release/changelog.mjs'

const { values } = readCommandLine({
  usage: `
Usage: node scripts/version.mjs [--date YYYY-MM-DD] [--root FOLDER]

Makes the next version from the changesets in .changeset and the section Unreleased of CHANGELOG.md: raises the version
of all packages and writes a dated section. Commits nothing.

  --date YYYY-MM-DD  date of the release; default: today
  --root FOLDER      the repository; default: this one
  --help             print this help

Exit codes: 0 fine, 1 nothing to release or something failed, 2 wrong use.`,
  options: { date: { type: 'string' }, root: { type: 'string' } },
})
const date = values.date ?? new Date().toISOString().slice(0, 10)
if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) {
  console.error(`error: --date is to be YYYY-MM-DD, not ${date}`)
  process.exit(2)
}
const root = resolve(values.root ?? join(dirname(fileURLToPath(import.meta.url)), '..'))
const changelogFile = join(root, 'CHANGELOG.md')
const changelog = readFileSync(changelogFile, 'utf8')
const written = [...parseChangelog(changelog).groups].filter(([, body]) => body !== '').map(([group]) => group)

const entries = []
for (const { id, summary } of await readChangesets(root)) {
  const read = readEntries(summary)
  if (read.problem !== undefined) fail(`.changeset/${id}.md: ${read.problem}`)
  entries.push(...read.entries)
}
if (entries.length + written.length === 0) fail('nothing to release: no changeset, and nothing under Unreleased')

const isFirst = releasesOf(changelog).length === 0
if (isFirst) removeChangesets()
else raiseVersions()
const { version } = JSON.parse(readFileSync(join(root, 'packages/turnpike/package.json'), 'utf8'))
writeFileSync(changelogFile, releaseChangelog(changelog, { entries, version, date }))
const codeFile = join(root, 'packages/turnpike/src/version.ts')
writeFileSync(codeFile, readFileSync(codeFile, 'utf8').replace(/'\d[^']*'/, `'${version}'`))
console.log(`${version} of ${date}: review the changes, commit them, then run npm run release -- --dry-run`)

/** changesets raises the versions and removes its files. One more changeset represents what people wrote into Unreleased. */
function raiseVersions() {
  if (written.length > 0) {
    const text = `---\n"turnpike": ${bumpOf(written)}\n---\n\nwritten into CHANGELOG.md\n`
    writeFileSync(join(root, '.changeset', 'written-by-hand.md'), text)
  }
  const require = createRequire(import.meta.url)
  const command = join(dirname(require.resolve('@changesets/cli/package.json')), 'bin.js')
  const { status } = spawnSync(process.execPath, [command, 'version'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (status !== 0) fail('changeset version failed')
}

function removeChangesets() {
  const folder = join(root, '.changeset')
  if (!existsSync(folder)) return
  for (const file of readdirSync(folder)) if (/^(?!README).*\.md$/.test(file)) rmSync(join(folder, file))
}

function fail(problem) {
  console.error(`error: ${problem}`)
  process.exit(1)
}
