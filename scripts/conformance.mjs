#!/usr/bin/env node
// Plays the recorded suites of fixtures/conformance/ against the built gateway.
//
//   node scripts/conformance.mjs [--front-end http1|node|uws] [--noop] [--storage lmdb|memory|redis|redis-cluster|redis-sentinel] [--only TEXT] [--json FILE]
//                                [--jobs N] [--workers N] [--installed FOLDER] [--in-process] [--part K/N] [SUITE…]
//
// With --in-process the gateways run in this process, two at a time, on a virtual clock and the memory
// store: pauses take no time, so all suites take less than a minute.
// With --storage redis each job has a redis-server of its own, which is emptied before each suite; with redis-cluster three
// masters with a replica each and the tagged layout, with redis-sentinel a master, two replicas and three sentinels.
// SUITE is the beginning of a suite's name; none: all. --noop puts a stage that does nothing between all stages.
// Ends with `N passed, N failed`.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readCommandLine } from './command-line.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const folder = join(root, 'fixtures', 'conformance')
const suites = readdirSync(folder).map((file) => file.replace(/\.json$/, ''))
const { values: options, positionals: wanted } = readCommandLine({
  usage: `
Usage: node scripts/conformance.mjs [OPTIONS] [SUITE…]

Plays recorded suites of fixtures/conformance/ against the built gateway. SUITE is the beginning of a suite's name;
none: all.

  --front-end http1|node|uws   HTTP server of the gateway; default: http1
  --storage lmdb|memory|redis|redis-cluster|redis-sentinel
                               its store; default: lmdb. Each job has a Redis of its own: one server; three masters
                               with replicas (tagged layout); or a master with two replicas and three sentinels
  --workers NUMBER             processes of each gateway; default: 1
  --noop                       a stage that does nothing between all stages
  --only TEXT                  only cases with this in their name
  --store-suites               only suites whose responses depend on what a store keeps
  --in-process                 gateways in this process, two at a time, on virtual time and memory
  --part K/N                   only each Nth suite, from the Kth on
  --jobs NUMBER                gateways at once; default: 6
  --installed FOLDER           play against the package installed there (scripts/install-packed.mjs)
  --json FILE                  write the results here
  --help                       print this help

Ends with a line "N passed, N failed". Exit codes: 0 fine, 1 something failed, 2 wrong use.`,
  positionals: true,
  options: {
    'front-end': { type: 'string', default: 'http1', choices: ['http1', 'node', 'uws'] },
    storage: {
      type: 'string',
      default: 'lmdb',
      choices: ['lmdb', 'memory', 'redis', 'redis-cluster', 'redis-sentinel'],
    },
    noop: { type: 'boolean', default: false },
    only: { type: 'string' },
    installed: { type: 'string' },
    json: { type: 'string' },
    'in-process': { type: 'boolean', default: false },
    'store-suites': { type: 'boolean', default: false },
    part: { type: 'string', default: '1/1' },
    jobs: { type: 'string', default: '6', least: 1 },
    workers: { type: 'string', default: '1', least: 1 },
  },
})
if (options.installed !== undefined && !existsSync(join(options.installed, 'node_modules/turnpike'))) {
  console.error(`error: turnpike is not installed in ${options.installed}: node scripts/install-packed.mjs FOLDER`)
  process.exit(2)
}
const unknown = wanted.filter((start) => !suites.some((name) => name.startsWith(start)))
if (unknown.length > 0) {
  console.error(`error: no suite begins with ${unknown.join(', ')}; there are ${suites.join(', ')}`)
  process.exit(2)
}

if (!existsSync(join(root, 'packages/testkit/dist/conformance/run-suite.js'))) {
  console.error('error: nothing is built yet: npm run build')
  process.exit(2)
}
const { runSuite } = await import('../packages/testkit/dist/conformance/run-suite.js')
const { startEchoUpstream } = await import('../packages/turnpike/dist/echo-upstream/echo-upstream.js')

/** Starts the store of a job. Returns its keys of `storage`, and the server; `undefined` if the gateway has its own. */
async function startStorage() {
  const addrsOf = (servers) => servers.map(({ host, port }) => `${host}:${port}`)
  if (options.storage === 'redis') {
    const { startRedisServer } = await import('../packages/testkit/dist/redis-server/redis-server.js')
    const server = await startRedisServer()
    return { server, storage: { type: 'redis', host: server.host, port: server.port } }
  }
  if (options.storage === 'redis-cluster') {
    const { startRedisCluster } = await import('../packages/testkit/dist/redis-server/redis-cluster.js')
    const server = await startRedisCluster()
    const addrs = addrsOf(server.servers)
    return { server, storage: { type: 'redis', addrs, enable_cluster: true, layout: 'tagged' } }
  }
  if (options.storage === 'redis-sentinel') {
    const { startRedisSentinel } = await import('../packages/testkit/dist/redis-server/redis-sentinel.js')
    const server = await startRedisSentinel()
    return { server, storage: { type: 'redis', addrs: addrsOf(server.sentinels), master_name: server.masterName } }
  }
  return { server: undefined, storage: { type: options['in-process'] ? 'memory' : options.storage } }
}

/** Sessions, counters, OAuth clients and tokens, certificates, cached responses and health are what a store keeps. */
const usesStore =
  /^(more-)?(auth-(basic|multi)|basic|batch|cache|certs|discovery-cache|events-tokens|headers-no-quota|health|keys?|limits|mcp-keys|oauth|org|policies|quota|rate|reload|secrets-names|sso)\b/
const names = suites
  .filter((name) => wanted.length === 0 || wanted.some((start) => name.startsWith(start)))
  .filter((name) => !options['store-suites'] || usesStore.test(name))
const part = /^(\d+)\/(\d+)$/.exec(options.part)
if (part === null || Number(part[1]) < 1 || Number(part[1]) > Number(part[2])) {
  console.error(`error: --part is K/N with K from 1 to N, not ${options.part}`)
  process.exit(2)
}

const packageFolder =
  options.installed === undefined
    ? join(root, 'packages/turnpike')
    : resolve(options.installed, 'node_modules/turnpike')
const command = [process.execPath, join(packageFolder, 'bin/turnpike.js'), 'start', '--conf', '{conf}']
const upstream = await startEchoUpstream()
const env = options.noop ? { TURNPIKE_NOOP_STAGES: '1' } : {}

/** Returns the function that starts the gateway of a suite. */
async function makeStart(storage) {
  const config = { front_end: options['front-end'], storage, workers: Number(options.workers) }
  if (!options['in-process']) {
    const { startGatewayProcess } = await import('../packages/testkit/dist/conformance/gateway-process.js')
    return (suite) => startGatewayProcess(suite, { command, upstream: upstream.url, config, env })
  }
  const { startGatewayInProcess } = await import('../packages/testkit/dist/conformance/gateway-in-process.js')
  const { createGateway } = await import('../packages/turnpike/dist/index.js')
  const environment = { ...process.env, ...env }
  const create = (conf, clock) => createGateway({ config: conf, clock, environment, log: 'silent' })
  return (suite) => startGatewayInProcess(suite, { create, upstream: upstream.url, config })
}

// On virtual time nothing depends on the load of the machine, so nothing is played again.
const maxTries = options['in-process'] ? 1 : 4
// One gateway waits for script workers and delayed responses while the other one works.
const jobs = options['in-process'] ? 2 : Number(options.jobs)
const results = []
const queue = names.filter((_, at) => at % Number(part[2]) === Number(part[1]) - 1)
const hasFailed = (result) => result.failures.length > 0
async function worker() {
  const { server: redis, storage } = await startStorage()
  const start = await makeStart(storage)
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    const suite = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'))
    const skip = new Set(
      suite.cases.map((one) => one.name).filter((one) => options.only !== undefined && !one.includes(options.only)),
    )
    const play = async () => {
      await redis?.flush()
      return runSuite(name, suite, { start, skip })
    }
    let done = await play()
    // Suites run in real time beside each other, and some live in the fractions of one second (a key of one second that
    // is made at its end): one that fails is played again, three times at most, and named when it needed that.
    for (let tries = 1; tries < maxTries && done.some(hasFailed); tries++) {
      const first = done.filter(hasFailed)
      done = await play()
      const reasons = first.map((result) => `${result.name} (${result.failures.join(', ')})`)
      console.error(`${name}: played again, since it failed in: ${reasons.join('; ')}`)
    }
    results.push(...done)
    const broken = done.filter(hasFailed)
    for (const result of broken) {
      console.log(`FAIL ${name} > ${result.name}\n${result.failures.map((text) => `       ${text}`).join('\n')}`)
    }
    console.error(`${name}: ${done.length - broken.length} of ${done.length}`)
  }
  await redis?.close()
}
await Promise.all(Array.from({ length: jobs }, worker))
await upstream.close()

const failed = results.filter(hasFailed).length
if (options.json !== undefined) writeFileSync(options.json, JSON.stringify(results, null, 1))
console.log(`${results.length - failed} passed, ${failed} failed`)
process.exit(failed > 0 ? 1 : 0)
