/** The seeded bugs of the HTTP gateways, one entry each. `--fault NAME` of main.ts switches one on. */
import type { Millis } from '@turnpike/core/lib'
import {
  type CounterServices,
  makeBlockedFlag,
  makeCheckThenCount,
  makeForgettingCounters,
  makeResetThenCount,
} from './faulty-counters.ts'
import type { Counters, Decision, GatewayLimit } from './key-limiter.ts'
import type { LimiterKind } from './key-limiters.ts'

/** How a gateway differs from a correct one. Every other part stays correct. */
export interface Fault {
  /** What a client sees, for `--list`. */
  readonly effect: string
  /** The kind of limiter in which the bug was found. Default: any. */
  readonly kind?: LimiterKind
  /** Replaces the limit that is enforced. The reported limit stays. */
  limit?(limit: GatewayLimit): GatewayLimit
  /** Replaces the counters of the quota if there is one, otherwise those of the rate. */
  counters?(services: CounterServices): Counters
  /** Replaces the name under which requests are counted. `name`: of the key; `spelling`: as the client wrote it. */
  counterName?(name: string, spelling: string): string
  /** Changes the decision as headers report it, not the decision itself. */
  reported?(decision: Decision, now: Millis, limit: GatewayLimit): Decision
  readonly batch?: 'counted-once' | 'not-counted' | 'leaves-its-api'
  readonly cors?: 'any-method'
}

const define = <T extends Record<string, Fault>>(faults: T): { readonly [K in keyof T]: Fault } => faults
/** Truncates the rate to multiples of `unit` requests per second. A rate below one unit becomes one unit. */
const truncated =
  (unit: number) =>
  ({ count, periodMs, ...rest }: GatewayLimit): GatewayLimit => {
    // Rounded before it is truncated: 0.3 / 0.1 is less than 3.
    const units = Math.max(1, Math.floor(Number(((count * 1000) / periodMs / unit).toFixed(6))))
    return { ...rest, count, periodMs: Math.ceil((count * 1000) / (units * unit)) }
  }
const noLimit: GatewayLimit = { count: Number.MAX_SAFE_INTEGER, periodMs: 1000 }

export const faults = define({
  crowd: { effect: 'concurrent requests are all admitted: check, wait, count', counters: makeCheckThenCount },
  'renewal-crowd': {
    effect: 'concurrent requests at the begin of a period are all admitted',
    counters: makeResetThenCount,
  },
  sentinel: { effect: 'a burst is admitted until a background task has counted it', counters: makeBlockedFlag },
  'batch-counts-once': { effect: 'a batch of any length counts as one request', batch: 'counted-once' },
  'batch-not-counted': { effect: 'items of a batch are neither counted nor limited', batch: 'not-counted' },
  'batch-leaves-api': { effect: 'a batch item reaches paths outside of the API', batch: 'leaves-its-api' },
  'key-spellings': {
    effect: 'each spelling of a key has its own limit: full name, upper case, with and without "Bearer"',
    counterName: (_, spelling) => spelling,
  },
  'key-prefix': {
    effect: 'keys with the same first four characters share a limit',
    counterName: (name) => name.slice(0, 4),
  },
  'key-collision': {
    effect: 'one key in eight counts against the limit of another key',
    counterName: (name) => ([...name].reduce((sum, one) => sum + one.charCodeAt(0), 0) % 8 === 0 ? 'shared' : name),
  },
  'forgets-after-rest': {
    effect: 'the bucket is full again after a rest of two intervals',
    kind: 'token-bucket',
    counters: makeForgettingCounters,
  },
  'retry-after-late': {
    effect: 'Retry-After is 15 s longer than necessary',
    reported: (decision) => ({ ...decision, retryAt: decision.retryAt + 15_000 }),
  },
  'retry-after-early': {
    effect: 'Retry-After is half as long as necessary, rounded down',
    reported: (decision, now) => ({
      ...decision,
      retryAt: now + 1000 * Math.floor((decision.retryAt - now) / 2000),
    }),
  },
  'rate-truncated': {
    effect: 'the rate is truncated to thousandths of a request per second: 1/60s becomes 1/62.5s',
    kind: 'token-bucket',
    limit: truncated(0.001),
  },
  'rate-truncated-to-tenths': {
    effect: 'the rate is truncated to tenths of a request per second: 1/1.9s becomes 1/2s',
    kind: 'token-bucket',
    limit: truncated(0.1),
  },
  'remaining-99': { effect: 'Remaining is always 99', reported: (decision) => ({ ...decision, remaining: 99 }) },
  'remaining-0': { effect: 'Remaining is always 0', reported: (decision) => ({ ...decision, remaining: 0 }) },
  'remaining-counts-up': {
    effect: 'Remaining is the number of requests used',
    reported: (decision, _, { count, burst = count }) => ({ ...decision, remaining: burst - decision.remaining }),
  },
  'remaining-0-on-admitted': {
    effect: 'Remaining is 0 on admitted requests and correct on rejected ones',
    reported: (decision) => (decision.allowed ? { ...decision, remaining: 0 } : decision),
  },
  'cors-any-method': { effect: 'CORS headers are sent for methods that the API rejects', cors: 'any-method' },
  'limit-5-percent-higher': {
    effect: 'the limit is 5 % higher, at least one request',
    limit: (limit) => ({
      ...limit,
      count: Math.ceil(limit.count * 1.05),
      burst: Math.ceil((limit.burst ?? limit.count) * 1.05),
    }),
  },
  'window-5-percent-shorter': {
    effect: 'the period is 5 % shorter',
    limit: (limit) => ({ ...limit, periodMs: Math.floor(limit.periodMs * 0.95) }),
  },
  'limit-one-less': {
    effect: 'one request fewer is admitted than the limit allows',
    limit: (limit) => ({
      ...limit,
      count: Math.max(1, limit.count - 1),
      burst: Math.max(1, (limit.burst ?? limit.count) - 1),
    }),
  },
  'fraction-of-second': {
    effect: 'a period below one second limits nothing',
    limit: (limit) => (limit.periodMs < 1000 ? noLimit : limit),
  },
  'no-limit': { effect: 'no request is rejected', limit: () => noLimit },
})

export type FaultName = keyof typeof faults
