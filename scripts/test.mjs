#!/usr/bin/env node
// Everything that proves the project: build and types, lint, unit and property tests, fuzzing, conformance on the
// built process. Ends with `N passed, N failed`.
//
//   node scripts/test.mjs
//
// What a machine lacks (redis-server, libfaketime, nginx, haproxy, wrk, systemd-analyze) is named with how to install it; with CI set, it is a failure.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readCommandLine } from './command-line.mjs'
import { uwsOrNode } from './uws-or-node.mjs'

readCommandLine({
  usage: `
Usage: npm test

Everything that proves the project: build and types, lint, unit and property tests, one minute of fuzzing, the recorded
suites against the built process. Takes some minutes. It has no options; for less of it:

  npx vitest run PATH…                unit and property tests of some files
  node scripts/conformance.mjs SUITE… some recorded suites (see --help)
  npx biome check .                   lint and format

What a machine lacks (redis-server, nginx, haproxy, wrk) is named with how to install it; with CI set, it is a failure.
Ends with a line "N passed, N failed". Exit codes: 0 fine, 1 something failed, 2 wrong use.`,
})

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const inCi = process.env.CI !== undefined && process.env.CI !== '' && process.env.CI !== 'false'
const bin = (name) => join(root, 'node_modules', '.bin', name)
const node = process.execPath

/** Runs a command, showing what it prints; resolves with its exit code and the end of its output. */
function run(title, command, args, env = {}) {
  console.log(`\n── ${title}`)
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let tail = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text) => {
        process.stdout.write(text)
        tail = (tail + text).slice(-4000)
      })
    }
    child.on('error', (error) => resolve({ code: 1, tail: error.message }))
    child.on('close', (code) => resolve({ code, tail }))
  })
}

let passed = 0
let failed = 0
const broken = []
/** What failed, named again at the end, where the thousands of lines before it do not hide it. */
const failures = []
function tally(title, good, bad) {
  passed += good
  failed += bad
  if (bad > 0) broken.push(title)
}
async function step(title, command, args, env) {
  const { code, tail } = await run(title, command, args, env)
  tally(title, code === 0 ? 1 : 0, code === 0 ? 0 : 1)
  if (code !== 0) failures.push(endOf(title, tail))
}
async function counted(title, command, args, env) {
  const { code, tail } = await run(title, command, args, env)
  const last = /(\d+) passed, (\d+) failed\s*$/.exec(tail)
  const failing = last === null ? 1 : Math.max(Number(last[2]), code === 0 ? 0 : 1)
  tally(title, last === null ? 0 : Number(last[1]), failing)
  if (failing > 0) failures.push(endOf(title, tail))
}
const endOf = (title, tail) => `${title}, its last lines:\n${tail}`

await step('set-up and build (types)', node, ['scripts/setup.mjs', '--build'])
if (failed > 0) finish()
await step('types of the tests', bin('tsc'), ['-p', 'tsconfig.tests.json'])
await step('lint and format', bin('biome'), ['check', '--error-on-warnings', '.'])

const reports = mkdtempSync(join(tmpdir(), 'turnpike-test-'))
const report = join(reports, 'vitest.json')
const unit = await run('unit and property tests', bin('vitest'), [
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
])
try {
  const result = JSON.parse(readFileSync(report, 'utf8'))
  const suites = result.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  ).length
  tally(
    'unit and property tests',
    result.numPassedTests,
    Math.max(result.numFailedTests + suites, unit.code === 0 ? 0 : 1),
  )
  const failedTests = failuresOf(result)
  failures.push(...failedTests)
  if (unit.code !== 0 && failedTests.length === 0)
    failures.push(`vitest ended with ${unit.code} without a failed test:\n${unit.tail}`)
  for (const [title, count] of notRun(result)) console.log(`${count} ${count === 1 ? 'test' : 'tests'} of: ${title}`)
} catch {
  tally('unit and property tests', 0, 1)
}
rmSync(reports, { recursive: true, force: true })

await step('fuzzing, 60 s', node, ['scripts/fuzz.mjs', '--seconds', '60'])

const suites = ['scripts/conformance.mjs']
const server = uwsOrNode === 'uws' ? 'uWebSockets.js' : 'node:http'
if (uwsOrNode === 'node')
  console.log(`\nnot run: uWebSockets.js has no binary for Node ${process.versions.node} (use Node 20 or 22)`)
// What users install: the packed packages in a project of their own.
const project = mkdtempSync(join(tmpdir(), 'turnpike-installed-'))
await step('packed and installed', node, [
  'scripts/install-packed.mjs',
  ...(uwsOrNode === 'uws' ? ['--uws'] : []),
  project,
])
await counted(`conformance: the installed package, ${server}, LMDB`, node, [
  ...suites,
  '--installed',
  project,
  '--front-end',
  uwsOrNode,
])
rmSync(project, { recursive: true, force: true })
await counted('conformance: node:http, LMDB', node, [...suites, '--front-end', 'node'])
await counted(`conformance: ${server}, memory, a no-op stage between all stages`, node, [
  ...suites,
  '--storage',
  'memory',
  '--noop',
])
// A server for each job: fewer jobs than above.
const withRedis = ['--storage', 'redis', '--jobs', '3']
const redisServer = process.env.TURNPIKE_REDIS_SERVER || 'redis-server'
if (spawnSync(redisServer, ['--version']).status === 0) {
  await counted(`conformance: ${server}, Redis`, node, [...suites, '--front-end', uwsOrNode, ...withRedis])
  const withCluster = ['--storage', 'redis-cluster', '--jobs', '3']
  await counted('conformance: node:http, Redis Cluster', node, [...suites, '--front-end', 'node', ...withCluster])
} else {
  const title = 'conformance: Redis'
  console.log(`\n── ${title}\nnot run: ${redisServer} is not installed (apt-get install redis-server)`)
  if (inCi) tally(title, 0, 1)
}
finish()

/** Titles that say what this machine lacks, and how many tests stand under each. */
function notRun({ testResults }) {
  const counts = new Map()
  for (const { assertionResults } of testResults) {
    for (const { status, ancestorTitles, title } of assertionResults) {
      const why = [...ancestorTitles, title].find((one) => one.includes('not run: '))
      if (status !== 'passed' && status !== 'failed' && why !== undefined) counts.set(why, (counts.get(why) ?? 0) + 1)
    }
  }
  return counts
}

/** File, title and the beginning of the message of each failed test, and of each file that could not be loaded. */
function failuresOf({ testResults }) {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name)
    const tests = assertionResults.filter((test) => test.status === 'failed')
    if (tests.length === 0) return status === 'failed' ? [`${file}\n${message.slice(0, 1500)}`] : []
    return tests.map(
      ({ fullName, failureMessages }) => `${file} > ${fullName}\n${failureMessages.join('\n').slice(0, 1500)}`,
    )
  })
}

function finish() {
  for (const failure of failures) console.log(`\nfailed: ${failure}`)
  if (broken.length > 0) console.log(`\nfailed in: ${broken.join('; ')}`)
  if (inCi) console.log('run as in CI')
  console.log(`\n${passed} passed, ${failed} failed`)
  process.exit(failed > 0 ? 1 : 0)
}
