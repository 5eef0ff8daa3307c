#!/usr/bin/env node
// What takes too long for CI: every store and front end with all recorded suites, another version of Node, ten minutes of
// fuzzing, the long forms of tests, and a soak test.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCommandLine } from './command-line.mjs'
import { hasUws } from './has-uws.mjs'
import { replay, replayWithRedis } from './replays.mjs'
import { Steps } from './steps.mjs'

const { values } = readCommandLine({
  usage: `
Usage: npm run nightly [-- --minutes NUMBER]

Builds, then plays all recorded suites on uWebSockets.js, on Redis, on Redis with Sentinel and on a Redis Cluster, and on
Node 24 (the npm package node, which npm downloads); then the long forms of the tests of judge and of the
linearizability tests, fuzzing, and a soak test. Takes about two hours.

  --minutes NUMBER  minutes of fuzzing and of the soak test each; default: 10
  --help            print this help

Ends with a line "N passed, N failed". Exit codes: 0 fine, 1 something failed, 2 wrong use.`,
  options: { minutes: { type: 'string', default: '10', least: 1 } },
})

const node = process.execPath
const minutes = Number(values.minutes)
const steps = new Steps()
await steps.step('set-up and build (types)', node, ['scripts/setup.mjs', '--build'])
if (steps.failed > 0) steps.finish()
if (hasUws) await replay(steps, 'uWebSockets.js, memory', ['--front-end', 'uws', '--storage', 'memory'])
else console.log(`\nnot run: uWebSockets.js has no binary for Node ${process.versions.node} (use Node 20 or 22)`)
for (const storage of ['redis', 'redis-sentinel', 'redis-cluster']) await replayWithRedis(steps, storage, [])
await onNode24()
await steps.step('judge, long form', node, ['scripts/judge-acceptance.mjs'])
await steps.vitest('linearizability, long form', ['packages/turnpike/test/linearizability'], {
  TURNPIKE_LINEARIZABILITY_SECONDS: '600',
})
await steps.step('fuzzing', node, ['scripts/fuzz.mjs', '--seconds', String(minutes * 60)])
await steps.counted('soak test', node, ['scripts/soak.mjs', '--minutes', values.minutes])
steps.finish()

async function onNode24() {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-node24-'))
  const install = ['install', '--no-audit', '--no-fund', '--no-save', '--prefix', folder, 'node@24']
  await steps.step('install Node 24', 'npm', install)
  const command = join(folder, 'node_modules', 'node', 'bin', 'node')
  await steps.counted('recorded suites: Node 24, LMDB', command, ['scripts/conformance.mjs'])
  rmSync(folder, { recursive: true, force: true })
}
