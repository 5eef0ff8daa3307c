/**
 * Loopback scenarios: a subject, its load, and its budget. Each scenario runs in fresh processes, compared with nginx on
 * the same upstream, in several rounds of alternating order.
 */
import { definition, keyed } from '../subjects/definition.ts'
import { roomySession } from '../subjects/roomy-session.ts'
import { startOverRedis, startTurnpike, type TurnpikeOptions, type TurnpikeSubject } from '../subjects/turnpike.ts'

export interface Scenario {
  readonly name: string
  /** Largest ratio of CPU per request to nginx's plain proxy_pass; `undefined`: no budget. */
  readonly budget: number | undefined
  /** `checkout`: a built checkout of another commit. */
  start(upstream: string, checkout?: string): Promise<TurnpikeSubject>
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** For many paths or keys, see `Contestant.script`. */
  readonly script?: (sent: number) => string
}

/** A prime that divides none of the counts, so that multiples of it visit every number once. */
const stride = 7919
const cacheOptions = { enable_cache: true, cache_timeout: 3600, cache_all_safe_requests: true }

export const keyless: Scenario = {
  name: 'keyless',
  budget: 1.8,
  start: (upstream, checkout) => startTurnpike({ apis: [definition('a0', upstream)], checkout }),
  path: '/a0/plain',
}

export const withKey: Scenario = {
  name: 'keyed: rate and quota',
  budget: 2.1,
  start: (upstream, checkout) => startWithKey(upstream, { checkout }),
  path: '/a0/plain',
  headers: { Authorization: 'benchone' },
}

/** Like `withKey`, with keys and counters in a Redis server of its own and one round trip per request. */
export const overRedis: Scenario = {
  ...withKey,
  name: 'keyed over Redis',
  budget: 2.3,
  start: (upstream) => startOverRedis((storage) => startWithKey(upstream, { config: { storage } })),
}

/** Starts a gateway with the API `a0` and the key `benchone`, whose limits are never reached. */
export async function startWithKey(upstream: string, options: Omit<TurnpikeOptions, 'apis'>): Promise<TurnpikeSubject> {
  const subject = await startTurnpike({ apis: [definition('a0', upstream, keyed)], ...options })
  await subject.manage('POST', '/svc/keys/one', roomySession('a0'))
  return subject
}

/** Served from the cache, while nginx calls its upstream for each request. */
export const cached: Scenario = {
  name: 'cached',
  budget: 0.8,
  start: (upstream, checkout) =>
    startTurnpike({ apis: [definition('a0', upstream, { cache_options: cacheOptions })], checkout }),
  path: '/a0/plain',
}

/** Requests spread evenly over `count` APIs. */
export function manyApis(count: number): Scenario {
  return {
    name: `keyless, ${count.toLocaleString('en')} APIs`,
    budget: undefined,
    start: (upstream) =>
      startTurnpike({ apis: Array.from({ length: count }, (_, i) => definition(`a${i}`, upstream)) }),
    path: '/a0/plain',
    script: (sent) => `${inTurn(count, sent)}
request = function()
  return wrk.format('GET', '/a' .. turn() .. '/plain')
end`,
  }
}

/** Requests spread evenly over `count` keys that are stored in the data folder (`write-keys.ts`). */
export function manyKeys(count: number, dataFolder: string): Scenario {
  return {
    name: `keyed, ${count.toLocaleString('en')} keys`,
    budget: undefined,
    start: (upstream) =>
      startTurnpike({ apis: [definition('a0', upstream, keyed)], config: { data_path: dataFolder } }),
    path: '/a0/plain',
    headers: { Authorization: 'benchk0' },
    script: (sent) => `${inTurn(count, sent)}
request = function()
  return wrk.format('GET', '/a0/plain', { Authorization = 'benchk' .. turn() })
end`,
  }
}

/** Lua script that visits the numbers below `count` in a scattered order, each once per cycle. */
function inTurn(count: number, sent: number): string {
  return `local n = ${(sent * stride) % count}
local turn = function()
  n = (n + ${stride}) % ${count}
  return n
end`
}
