#!/usr/bin/env node
// Proves the project: build and types, lint, unit and property tests, all recorded suites in one process, the installed
// package on processes, and Redis. Ends with `N passed, N failed`. CONTRIBUTING.md says what each part proves alone.
//
//   node scripts/test.mjs
//
// What a machine lacks (redis-server, libfaketime, nginx, haproxy, wrk, systemd-analyze) is named with how to install it; with CI set, it is a failure.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCommandLine } from './command-line.mjs'
import { replay, replayWithRedis } from './replays.mjs'
import { bin, Steps } from './steps.mjs'

readCommandLine({
  usage: `
Usage: npm test

Proves the project in at most 20 minutes on two cores: build and types, lint, unit and property tests, the recorded suites
in one process and against the packed and installed package, and Redis for the suites that use the store. It has no
options; for less of it:

  npm run quick                       an answer in a minute
  npx vitest run PATH…                unit and property tests of some files
  node scripts/conformance.mjs SUITE… some recorded suites (see --help)

npm run check does what CI does. What a machine lacks (redis-server, nginx, haproxy, wrk) is named with how to install it;
with CI set, it is a failure.
Ends with a line "N passed, N failed". Exit codes: 0 fine, 1 something failed, 2 wrong use.`,
})

const node = process.execPath
const steps = new Steps({ quiet: true })
await steps.step('set-up and build (types)', node, ['scripts/setup.mjs', '--build'])
if (steps.failed > 0) steps.finish()

// Tests that compute beside tests that wait: for processes, sockets and real time.
await Promise.all([typesAndComputing(), suitesAndWaiting()])
steps.finish()

async function typesAndComputing() {
  await steps.step('types of the tests', bin('tsc'), ['-p', 'tsconfig.tests.json'])
  await steps.step('lint and format', bin('biome'), ['check', '--error-on-warnings', '.'])
  await steps.vitest('unit and property tests', projects('quick', 'slow', 'isolated'))
  await replay(steps, 'virtual time, memory, a no-op stage between all stages', ['--in-process', '--noop'])
  await installed()
  await replayWithRedis(steps, 'redis', ['--store-suites'])
}

async function suitesAndWaiting() {
  await replay(steps, 'virtual time, memory', ['--in-process'])
  await steps.vitest('tests with processes, sockets and real time', projects('adapters', 'real', 'judge'))
}

/** What users install: the packed packages in a project of their own. */
async function installed() {
  const project = mkdtempSync(join(tmpdir(), 'turnpike-installed-'))
  await steps.step('packed and installed', node, ['scripts/install-packed.mjs', project])
  await replay(steps, 'the installed package, http1, LMDB', ['--installed', project])
  rmSync(project, { recursive: true, force: true })
}

function projects(...names) {
  return names.flatMap((name) => ['--project', name])
}
