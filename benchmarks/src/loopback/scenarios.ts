/**
 * What is measured over loopback: a subject, the load on it, and what it is compared with. Each scenario runs in
 * fresh processes, beside nginx on the same upstream, several rounds in turned order.
 */
import { definition } from '../subjects/definition.ts'
import { startRedis } from '../subjects/redis.ts'
import { roomySession } from '../subjects/sessions.ts'
import { startTurnpike, type TurnpikeSubject } from '../subjects/turnpike.ts'

export interface Scenario {
  readonly name: string
  /** CPU per request against nginx's plain proxy_pass that may not be passed; `undefined`: only shown. */
  readonly budget: number | undefined
  start(upstream: string): Promise<TurnpikeSubject>
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** For many paths or keys: as of `Contestant`. */
  readonly script?: (asked: number) => string
}

/** A prime that divides no count. */
const stride = 7919
const cacheOptions = { enable_cache: true, cache_timeout: 3600, cache_all_safe_requests: true }
const keyed = { use_keyless: false, auth: { auth_header_name: 'Authorization' } }

export const keyless: Scenario = {
  name: 'keyless',
  budget: 1.8,
  start: (upstream) => startTurnpike({ apis: [definition('a0', upstream)] }),
  path: '/a0/plain',
}

export const withKey: Scenario = {
  name: 'keyed: rate and quota',
  budget: 1.9,
  async start(upstream) {
    const subject = await startTurnpike({ apis: [definition('a0', upstream, keyed)] })
    await subject.manage('POST', '/svc/keys/one', roomySession('a0'))
    return subject
  },
  path: '/a0/plain',
  headers: { Authorization: 'benchone' },
}

/** As `withKey`, but keys and counters lie in a Redis server of its own, one round trip for each request. */
export const overRedis: Scenario = {
  ...withKey,
  name: 'keyed over Redis',
  budget: 3,
  async start(upstream) {
    const redis = await startRedis()
    try {
      const storage = { type: 'redis', host: '127.0.0.1', port: redis.port }
      const subject = await startTurnpike({ apis: [definition('a0', upstream, keyed)], config: { storage } })
      await subject.manage('POST', '/svc/keys/one', roomySession('a0'))
      return { ...subject, stop: () => subject.stop().finally(redis.stop) }
    } catch (cause) {
      await redis.stop()
      throw cause
    }
  },
}

/** Answered without the upstream; nginx beside it asks its upstream each time. */
export const cached: Scenario = {
  name: 'cached',
  budget: 0.8,
  start: (upstream) => startTurnpike({ apis: [definition('a0', upstream, { cache_options: cacheOptions })] }),
  path: '/a0/plain',
}

/** Requests spread over all of so many APIs. */
export function manyApis(count: number): Scenario {
  return {
    name: `keyless, ${count.toLocaleString('en')} APIs`,
    budget: undefined,
    start: (upstream) =>
      startTurnpike({ apis: Array.from({ length: count }, (_, i) => definition(`a${i}`, upstream)) }),
    path: '/a0/plain',
    script: (asked) => `${inTurn(count, asked)}
request = function()
  return wrk.format('GET', '/a' .. turn() .. '/plain')
end`,
  }
}

/** Requests spread evenly over all of so many keys, which lie in the data folder (`seed-keys.ts`). */
export function manyKeys(count: number, dataFolder: string): Scenario {
  return {
    name: `keyed, ${count.toLocaleString('en')} keys`,
    budget: undefined,
    start: (upstream) =>
      startTurnpike({ apis: [definition('a0', upstream, keyed)], config: { data_path: dataFolder } }),
    path: '/a0/plain',
    headers: { Authorization: 'benchk0' },
    script: (asked) => `${inTurn(count, asked)}
request = function()
  return wrk.format('GET', '/a0/plain', { Authorization = 'benchk' .. turn() })
end`,
  }
}

/** Lua: numbers below `count` in an order of their own, each once before one comes again. */
function inTurn(count: number, asked: number): string {
  return `local n = ${(asked * stride) % count}
local turn = function()
  n = (n + ${stride}) % ${count}
  return n
end`
}
