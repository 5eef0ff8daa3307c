/** Options of a gateway of this folder, with their defaults. */
import type { Millis } from '@turnpike/core'
import { type FaultName, faults } from './faults.ts'
import type { GatewayLimit } from './key-limiter.ts'
import { keyLimiters, type LimiterKind } from './key-limiters.ts'
import { type HeaderStyle, headerStyles } from './rate-headers.ts'

export interface LimitedGatewayOptions {
  /** The limiter of `rate`. Default: the kind in which the fault was found, otherwise `window-from-first`. */
  readonly kind?: LimiterKind | undefined
  /** Requests per period of each key. Default: no rate limit. */
  readonly rate?: GatewayLimit | undefined
  /** Requests of each key in a period that begins with the key's first request. Default: no quota. */
  readonly quota?: GatewayLimit | undefined
  /** Status of requests that the quota rejects. Default 429. The rate rejects with 429. */
  readonly quotaStatus?: number | undefined
  /** Default: none. */
  readonly headers?: readonly HeaderStyle[] | undefined
  /** Name of the header with the key. Default `Authorization`, with or without the scheme `Bearer`. */
  readonly keyHeader?: string | undefined
  /** The keys that are accepted, in lower case. Default: any. */
  readonly keys?: readonly string[] | undefined
  /** Methods of the API. Others are rejected with 405. Default GET, HEAD, POST. */
  readonly methods?: readonly string[] | undefined
  /** The seeded bug. Default: none, the gateway is correct. */
  readonly fault?: FaultName | undefined
  /** TCP port; 0, the default, lets the system choose. */
  readonly port?: number | undefined
  /** Returns the time. Default: the system's. */
  readonly now?: (() => Millis) | undefined
  /** Waits: delayed requests, and the imagined database of some faults. Default: a timer. */
  readonly sleep?: ((ms: Millis) => Promise<void>) | undefined
}

/** Throws a `TypeError` that names the first option with an invalid value. */
export function checkOptions({ kind, rate, quota, headers, fault }: LimitedGatewayOptions): void {
  oneOf('kind', kind, Object.keys(keyLimiters))
  oneOf('fault', fault, Object.keys(faults))
  for (const style of headers ?? []) oneOf('headers', style, headerStyles)
  checkLimit('rate', rate)
  checkLimit('quota', quota)
  if (rate === undefined && quota === undefined)
    throw new TypeError('pass a rate or a quota: there is nothing to limit')
}

function oneOf(option: string, value: string | undefined, known: readonly string[]): void {
  if (value === undefined || known.includes(value)) return
  throw new TypeError(`${option} "${value}" is unknown; it is one of: ${known.join(', ')}`)
}

function checkLimit(option: string, limit: GatewayLimit | undefined): void {
  if (limit === undefined) return
  for (const field of ['count', 'periodMs', 'burst'] as const) {
    const value = limit[field]
    if (field === 'burst' && value === undefined) continue
    if (!Number.isSafeInteger(value) || (value as number) < 1) {
      throw new TypeError(`${option}.${field} is ${value}; it must be a whole number above 0`)
    }
  }
}
