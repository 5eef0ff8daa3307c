/**
 * A cache of token issuers' key sets by URL. Source: docs/reference/jwt.md#json-web-tokens.
 *
 * A set is fetched when a token first needs it; concurrent requests share the fetch. After 80 % of its lifetime the set
 * is refreshed in the background, so that a short outage of the issuer rejects no request. An expired set is not used.
 * An unknown key id triggers a fetch at once, but at most one per 10 s.
 */

import { sameBytes } from '../../lib/constant-time.ts'
import type { Maybe } from '../../lib/maybe.ts'
import type { CallTracer } from '../../ports/call-span.ts'
import type { Clock, Millis } from '../../ports/clock.ts'
import type { Fetch } from '../../ports/fetch.ts'
import type { Log } from '../../ports/log.ts'
import type { TokenFamily, TokenKey, TokenVerifier } from '../../ports/token-verifier.ts'
import { type KeySet, parseKeySet } from './key-set.ts'

export interface KeySetOptions {
  readonly fetch: Pick<Fetch, 'get'>
  readonly tokenVerifier: TokenVerifier
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  /** Lifetime of a set in ms. Default: 240,000. */
  readonly lifetimeMs?: Millis
  /** Do not verify the certificate of the issuer's server. Default: false. */
  readonly insecure?: boolean
}

export interface KeyRequest {
  readonly apiId: string
  readonly url: string
  readonly kid: string
  readonly family: TokenFamily
  /** The span of the request that needs the key. */
  readonly caller?: CallTracer | undefined
}

export interface KeySets {
  /** Returns the key, without a promise if its set is cached; `undefined` if the key is unknown or its set unavailable. */
  keyFor(request: KeyRequest): Maybe<TokenKey | undefined>
  /** Evicts the sets of an API, or of all APIs. Results of fetches in progress are discarded too. */
  forget(apiId?: string): void
}

const defaultLifetimeMs = 240_000
/** Fraction of the lifetime after which a set is refreshed. */
const refreshAfterFraction = 0.8
const refetchPauseMs = 10_000
/** Pause after a failed fetch; tokens that need the set are rejected during it. */
const failurePauseMs = 1_000

interface Entry {
  set: KeySet | undefined
  document: Uint8Array | undefined
  fetchedAt: Millis
  /** Time of the last fetch for an unknown key id. */
  refetchedAt: Millis
  failedAt: Millis
  loading: Promise<void> | undefined
}

export function makeKeySets(options: KeySetOptions): KeySets {
  const { clock, log } = options
  const lifetimeMs = options.lifetimeMs ?? defaultLifetimeMs
  const byApi = new Map<string, Map<string, Entry>>()

  const entryFor = ({ apiId, url }: KeyRequest): Entry => {
    const sets = byApi.get(apiId) ?? new Map<string, Entry>()
    const entry = sets.get(url) ?? emptyEntry()
    byApi.set(apiId, sets.set(url, entry))
    return entry
  }

  const load = (entry: Entry, { apiId, url, caller }: KeyRequest): Promise<void> => {
    entry.loading ??= options.fetch
      .get(url, { insecure: options.insecure ?? false, caller })
      .then(({ status, body }) => {
        if (status !== 200) throw new Error(`status ${status}`)
        // An unchanged set keeps its key objects, so that cached token checks stay valid.
        if (entry.set === undefined || entry.document === undefined || !sameBytes(entry.document, body)) {
          const set = parseKeySet(body, options.tokenVerifier)
          if (set === undefined) throw new Error('the document is not a key set')
          entry.set = set
          entry.document = body
        }
        entry.fetchedAt = clock.now()
      })
      .catch((cause: unknown) => {
        entry.failedAt = clock.now()
        log.warn('a key set cannot be fetched', { api: apiId, reason: String(cause) })
      })
      .finally(() => {
        entry.loading = undefined
      })
    return entry.loading
  }

  const find = (entry: Entry, request: KeyRequest): TokenKey | undefined => {
    if (clock.now() - entry.fetchedAt >= lifetimeMs) return undefined
    return entry.set?.find(request.kid, request.family)
  }

  return {
    keyFor(request) {
      const entry = entryFor(request)
      const now = clock.now()
      const age = now - entry.fetchedAt
      const mayTry = now - entry.failedAt >= failurePauseMs
      if (age >= lifetimeMs) {
        if (entry.loading === undefined && !mayTry) return undefined
        return load(entry, request).then(() => find(entry, request))
      }
      if (age >= lifetimeMs * refreshAfterFraction && mayTry) void load(entry, request)
      const key = find(entry, request)
      if (key !== undefined || now - entry.refetchedAt < refetchPauseMs) return key
      entry.refetchedAt = now
      return load(entry, request).then(() => find(entry, request))
    },
    forget(apiId) {
      if (apiId === undefined) byApi.clear()
      else byApi.delete(apiId)
    },
  }
}

function emptyEntry(): Entry {
  const never = Number.NEGATIVE_INFINITY
  return {
    set: undefined,
    document: undefined,
    fetchedAt: never,
    refetchedAt: never,
    failedAt: never,
    loading: undefined,
  }
}
