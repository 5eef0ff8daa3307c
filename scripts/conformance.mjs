#!/usr/bin/env node
// Plays the recorded suites of fixtures/conformance/ against the built gateway.
//
//   node scripts/conformance.mjs [--front-end uws|node] [--noop] [--storage lmdb|memory|redis] [--only TEXT] [--json FILE]
//                                [--jobs N] [SUITE…]
//
// With --storage redis each job has a redis-server of its own, which is emptied before each suite.
// SUITE is the beginning of a suite's name; none: all. --noop puts a stage that does nothing between all stages.
// Cases that wait for a part not built yet stand in fixtures/conformance-waiting.json with what they wait for; they are
// counted apart, and one that passes all the same is told, so that the list cannot grow stale.
// Ends with `N passed, N failed`.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { runSuite } from '../packages/testkit/dist/conformance/run-suite.js'
import { startEchoUpstream } from '../packages/testkit/dist/echo-upstream/echo-upstream.js'
import { startRedisServer } from '../packages/testkit/dist/redis-server/redis-server.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    'front-end': { type: 'string', default: 'uws' },
    storage: { type: 'string', default: 'lmdb' },
    noop: { type: 'boolean', default: false },
    only: { type: 'string' },
    json: { type: 'string' },
    jobs: { type: 'string', default: '6' },
    waiting: { type: 'boolean', default: false },
  },
})

const folder = join(root, 'fixtures', 'conformance')
const waiting = JSON.parse(readFileSync(join(root, 'fixtures', 'conformance-waiting.json'), 'utf8'))
const names = readdirSync(folder)
  .map((file) => file.replace(/\.json$/, ''))
  .filter((name) => wanted.length === 0 || wanted.some((start) => name.startsWith(start)))

const waitsFor = (suite, name) => waiting[suite]?.[name] ?? waiting[suite]?.['*']
const command = [process.execPath, join(root, 'packages/turnpike/bin/turnpike.js'), 'start', '--conf', '{conf}']
const upstream = await startEchoUpstream()
const env = options.noop ? { TURNPIKE_NOOP_STAGES: '1' } : {}

const mostTries = 4
const results = []
const queue = names.filter((name) => options.waiting || waiting[name]?.['*'] === undefined)
async function worker() {
  const redis = options.storage === 'redis' ? await startRedisServer() : undefined
  const storage = redis === undefined ? {} : { host: '127.0.0.1', port: redis.port }
  const config = { front_end: options['front-end'], storage: { type: options.storage, ...storage } }
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    const suite = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'))
    const skip = new Set(
      suite.cases.map((one) => one.name).filter((one) => options.only !== undefined && !one.includes(options.only)),
    )
    const play = async () => {
      await redis?.flush()
      return runSuite(name, suite, { command, upstream: upstream.url, config, env, skip })
    }
    let done = await play()
    // Suites run in real time beside each other, and some live in the fractions of one second (a key of one second that
    // is made at its end): one that fails is played again, three times at most, and named when it needed that.
    const isBroken = (result) => result.failures.length > 0 && waitsFor(name, result.name) === undefined
    for (let tries = 1; tries < mostTries && done.some(isBroken); tries++) {
      const first = done.filter(isBroken)
      done = await play()
      const reasons = first.map((result) => `${result.name} (${result.failures.join(', ')})`)
      console.error(`${name}: played again, since it failed in: ${reasons.join('; ')}`)
    }
    for (const result of done) {
      results.push(result)
      const reason = waitsFor(name, result.name)
      if (result.failures.length > 0 && reason === undefined) {
        console.log(`FAIL ${name} > ${result.name}\n${result.failures.map((text) => `       ${text}`).join('\n')}`)
      }
    }
    console.error(`${name}: ${done.filter((one) => one.failures.length === 0).length} of ${done.length}`)
  }
  await redis?.close()
}
await Promise.all(Array.from({ length: Number(options.jobs) }, worker))
await upstream.close()

const isWaiting = (result) => waitsFor(result.suite, result.name) !== undefined
const passed = results.filter((result) => result.failures.length === 0)
const waited = results.filter((result) => result.failures.length > 0 && isWaiting(result))
const stale = passed.filter((result) => isWaiting(result))
const failed = results.length - passed.length - waited.length
for (const result of waited)
  console.log(`waits ${result.suite} > ${result.name}: ${waitsFor(result.suite, result.name)}`)
for (const result of stale) console.log(`STALE ${result.suite} > ${result.name} passes: take it off the waiting list`)
if (options.json !== undefined) writeFileSync(options.json, JSON.stringify(results, null, 1))
console.log(`${passed.length} passed, ${failed + stale.length} failed`)
process.exit(failed + stale.length > 0 ? 1 : 0)
