#!/usr/bin/env node
// Checks how many files of core a reader must know to follow a request with a key that is not cached yet, from the chain
// of its API to the decision about rate and quota: at most 20 (docs/decisions/0006-a-million-keys.md). V8 counts the
// functions that such a request runs. The helpers of lib and http are not counted, nor are the files that find the API
// before the chain starts (engine, route, compiled-api, endpoints) and those that write the rate headers afterwards.
// Needs a build.
//
//   node scripts/repository-checks/cold-key-files.mjs [--list]
import { Session } from 'node:inspector/promises'
import { makeBenchEngine, requestFor } from '../../benchmarks/dist/in-process/bench-engine.js'
import { definition } from '../../benchmarks/dist/subjects/definition.js'
import { roomySession } from '../../benchmarks/dist/subjects/roomy-session.js'
import { report } from './_files.mjs'

const maxFiles = 20
const core = 'packages/core/dist/'
const notCounted =
  /^(?:lib|http|engine|route)\/|^pipeline\/compile\/(?:compiled-api|endpoints)\.js$|^pipeline\/6-shape-response\/rate-limit-headers\.js$|^pipeline\/shared\/(?:limit-headers|shown-limits)\.js$/

const api = definition('a0', 'http://unused.test', { use_keyless: false, auth: { auth_header_name: 'Authorization' } })
const { engine, putKey } = await makeBenchEngine([api])
await putKey('benchwarm', roomySession('a0'))
await putKey('benchcold', roomySession('a0'))

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
// The first key of its rights compiles them, which is not part of other requests.
send('benchwarm')
await session.post('Profiler.takePreciseCoverage')
send('benchcold')
const { result } = await session.post('Profiler.takePreciseCoverage')

const files = result
  .filter(({ url, functions }) => url.includes(core) && functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
  .map(({ url }) => url.slice(url.indexOf(core) + core.length))
  .filter((file) => !notCounted.test(file))
  .sort()
if (process.argv.includes('--list')) for (const file of files) console.log(file)
const problems = []
if (files.length > maxFiles) {
  problems.push(`a request with a cold key runs ${files.length} files of core, at most ${maxFiles}:`, ...files)
}
// Fewer would mean that the measurement missed the request.
for (const needed of ['pipeline/compile/chain.js', 'session/session-cache.js', 'quota/decide-quota.js']) {
  if (!files.includes(needed)) problems.push(`${needed} was not counted: the request did not reach it`)
}
report('files of a request with a cold key', problems)

function send(key) {
  const response = engine.handle(requestFor('/a0/x', key))
  if (response.status !== 200) throw new Error(`the response is not 200 at once: ${JSON.stringify(response)}`)
}
