/** Options of a gateway of this folder, with their defaults. */

import type { Millis } from '@turnpike/core/lib'
import {
  aFunction,
  anObjectWith,
  aText,
  aWholeNumber,
  checkInput,
  checkOptions,
  type InputCheck,
  InputError,
  oneOf,
} from '../check-input.ts'
import type { GatewayLimit } from './key-limiter.ts'
import { keyLimiters, type LimiterKind } from './key-limiters.ts'
import { type HeaderStyle, headerStyles } from './rate-headers.ts'
import { type FaultName, faults } from './seeded-bugs.ts'

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

const aStatus = aWholeNumber(100)
const listOfTexts: InputCheck = (value) =>
  Array.isArray(value) && value.every((item) => typeof item === 'string') ? undefined : 'a list of texts'
const aLimit: InputCheck = (value) => anObjectWith()(value) && 'a limit, such as { count: 5, periodMs: 1000 }'

/** Throws an `InputError` that names the first option with an invalid value. `fn`: what got the options. */
export function checkGateway(options: LimitedGatewayOptions, fn = 'startLimitedGateway'): void {
  checkOptions(fn, options, {
    ...{ kind: oneOf(Object.keys(keyLimiters)), fault: oneOf(Object.keys(faults)), rate: aLimit, quota: aLimit },
    ...{ quotaStatus: aStatus, headers: listOfTexts, keyHeader: aText, keys: listOfTexts, methods: listOfTexts },
    ...{ port: aWholeNumber(0), now: aFunction, sleep: aFunction },
  })
  for (const style of options.headers ?? []) checkInput(fn, 'a style of headers', style, oneOf(headerStyles))
  for (const name of ['rate', 'quota'] as const) {
    const above0 = aWholeNumber(1)
    const checks = { count: above0, periodMs: above0, burst: above0 }
    const limit = options[name]
    if (limit !== undefined) checkOptions(`${fn}: ${name}`, limit, checks, ['count', 'periodMs'])
  }
  if (options.rate === undefined && options.quota === undefined)
    throw new InputError(`${fn}: pass a rate or a quota: there is nothing to limit`)
}
