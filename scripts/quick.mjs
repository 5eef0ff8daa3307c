#!/usr/bin/env node
// An answer in a minute: builds, then checks types, the lint of changed files, the repository checks, unit and property
// tests, and plays all recorded suites in one process. `npm test` proves the rest.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readCommandLine } from './command-line.mjs'
import { testsThatReach } from './import-graph.mjs'
import { bin, root, Steps } from './steps.mjs'

const { values } = readCommandLine({
  usage: `
Usage: npm run quick [-- --all]

A trustworthy answer in about a minute: types, lint of changed files, repository checks, the unit and property tests that
need no process, and all recorded suites in two processes, on virtual time and the memory store.

Changed files are those that differ from the branch main or its remote, and uncommitted ones. Tests are limited to those
that a change concerns if that halves their number.

  --all   all quick tests, whatever has changed
  --help  print this help

Ends with a line "N passed, N failed". Exit codes: 0 fine, 1 something failed, 2 wrong use.`,
  options: { all: { type: 'boolean', default: false } },
})

const node = process.execPath
const build = spawnSync(node, ['scripts/setup.mjs', '--build'], { cwd: root, stdio: 'inherit' })
if (build.status !== 0) {
  console.log('\nfailed in: build (types)\n\n0 passed, 1 failed')
  process.exit(1)
}

const started = performance.now()
const steps = new Steps({ quiet: true })
const changed = changedFiles()

// All at once: nearly half of the time the recorded suites wait for script workers and delayed responses.
await Promise.all([tests(), suites(1).then(repositoryChecks), suites(2).then(typesAndLint)])
console.log(`\n${((performance.now() - started) / 1000).toFixed(0)} s after the build`)
steps.finish()

function suites(part) {
  return steps.counted(`recorded suites, part ${part} of 2`, node, [
    'scripts/conformance.mjs',
    '--in-process',
    ...['--part', `${part}/2`],
  ])
}

async function typesAndLint() {
  await steps.step('types of the tests', bin('tsc'), ['-p', 'tsconfig.tests.json'])
  const files = changed?.filter((file) => /\.(ts|mts|mjs|js|json|css|html)$/.test(file)) ?? []
  if (files.length === 0) return
  await steps.step('lint and format', bin('biome'), [
    'check',
    '--error-on-warnings',
    '--no-errors-on-unmatched',
    ...files,
  ])
}

function tests() {
  const related = changed === undefined || values.all ? undefined : relatedTests(changed)
  if (related?.length === 0) return undefined
  const title = related === undefined ? 'unit and property tests' : `tests of the change, ${related.length} files`
  return steps.vitest(title, ['--project', 'quick', '--passWithNoTests', ...(related ?? [])])
}

/** The tests that a change concerns; `undefined` if they are more than half, or the change has more than sources. */
function relatedTests(files) {
  const others = files.filter((file) => !/\.(ts|mts|mjs|md)$/.test(file))
  if (others.length > 0 || files.includes('vitest.config.ts') || files.includes('scripts/vitest-setup.ts'))
    return undefined
  const { related, all } = testsThatReach(files.filter((file) => !file.endsWith('.md')))
  return related.length * 2 > all ? undefined : related
}

async function repositoryChecks() {
  const checks = readdirSync(join(root, 'scripts/repository-checks')).filter((file) => /^[a-z].*\.mjs$/.test(file))
  // It packs every package, which takes longer than all others together.
  for (const file of checks.filter((name) => name !== 'package-exports.mjs')) {
    await steps.step(`check: ${file.replace('.mjs', '')}`, node, [join('scripts/repository-checks', file)])
  }
}

/** Files that differ from main (its remote one, if there is one) and exist; `undefined` if there are none or no git. */
function changedFiles() {
  const git = (...args) => execFileSync('git', args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] }).toString()
  try {
    const base = ['origin/main', 'main'].find(
      (name) => spawnSync('git', ['rev-parse', '--verify', '-q', name]).status === 0,
    )
    const since = git('merge-base', 'HEAD', base ?? 'HEAD').trim()
    const names = `${git('diff', '--name-only', since)}${git('ls-files', '--others', '--exclude-standard')}`
    const files = [...new Set(names.split('\n'))].filter((file) => file !== '' && existsSync(join(root, file)))
    return files.length === 0 ? undefined : files
  } catch {
    return undefined
  }
}
