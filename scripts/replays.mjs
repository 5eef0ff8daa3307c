// Replays of the recorded suites as steps of `npm test`, `npm run check` and `npm run nightly`.
import { spawnSync } from 'node:child_process'
import { inCi } from './steps.mjs'

/** Plays the suites with these options of scripts/conformance.mjs. */
export function replay(steps, title, args) {
  return steps.counted(`recorded suites: ${title}`, process.execPath, ['scripts/conformance.mjs', ...args])
}

/** The same on `redis`, `redis-cluster` or `redis-sentinel`. A missing server is named; in CI it is a failure. */
export async function replayWithRedis(steps, storage, args) {
  const server = process.env.TURNPIKE_REDIS_SERVER || 'redis-server'
  const title = `recorded suites: ${storage}`
  // A server for each job: fewer jobs than with a store inside the process.
  if (spawnSync(server, ['--version']).status === 0)
    await replay(steps, `${storage}, ${args.join(' ')}`, ['--storage', storage, '--jobs', '3', ...args])
  else {
    console.log(`\n── ${title}\nnot run: ${server} is not installed (apt-get install redis-server)`)
    if (inCi) steps.add(title, 0, 1, { tail: `${server} is not installed` })
  }
}
