/**
 * Key sets of token issuers, fetched by URL and kept for a while. Source: docs/reference/jwt.md#json-web-tokens, docs/differences.md.
 *
 * A set is fetched when a token first needs it, once for all who wait. Near the end of its time it is fetched anew
 * beside the requests, so that an issuer that is away for a moment stops nobody; after its time it is not used. A
 * name that the set does not hold is asked for again at once, but not more than once in 10 s.
 */

import type { Maybe } from '../../lib/maybe.ts'
import { sameBytes } from '../../lib/same-bytes.ts'
import type { Clock, Millis } from '../../ports/clock.ts'
import type { Fetch } from '../../ports/fetch.ts'
import type { Log } from '../../ports/log.ts'
import type { Signatures } from '../../ports/signatures.ts'
import type { KeyFamily } from './algorithms.ts'
import type { TokenKey } from './check-signature.ts'
import { type KeySet, parseKeySet } from './key-set.ts'

export interface KeySetOptions {
  readonly fetch: Fetch
  readonly signatures: Signatures | undefined
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  /** How long a set is used. Default: 240 s. */
  readonly lifetimeMs?: Millis
  /** Do not check the certificate of the issuer's server. Default: false. */
  readonly insecure?: boolean
}

export interface KeyRequest {
  readonly apiId: string
  readonly url: string
  readonly kid: string
  readonly family: KeyFamily
}

export interface KeySets {
  /** The key, without a promise when its set is there; `undefined`: unknown, or its set cannot be had. */
  keyFor(wish: KeyRequest): Maybe<TokenKey | undefined>
  /** Forgets the sets of an API, or of all; what is under way is not kept either. */
  forget(apiId?: string): void
}

const defaultLifetimeMs = 240_000
/** Share of its time after which a set is fetched anew. */
const freshShare = 0.8
const refetchPauseMs = 10_000
/** After a fetch that failed, tokens are refused for so long before the next try. */
const failurePauseMs = 1_000

interface Kept {
  set: KeySet | undefined
  document: Uint8Array | undefined
  fetchedAt: Millis
  /** When it was last asked for because of an unknown name. */
  refetchedAt: Millis
  failedAt: Millis
  loading: Promise<void> | undefined
}

export function makeKeySets(parts: KeySetOptions): KeySets {
  const { clock, log } = parts
  const lifetimeMs = parts.lifetimeMs ?? defaultLifetimeMs
  const byApi = new Map<string, Map<string, Kept>>()

  const keptFor = ({ apiId, url }: KeyRequest): Kept => {
    const sets = byApi.get(apiId) ?? new Map<string, Kept>()
    const kept = sets.get(url) ?? emptyKept()
    byApi.set(apiId, sets.set(url, kept))
    return kept
  }

  const load = (kept: Kept, { apiId, url }: KeyRequest): Promise<void> => {
    kept.loading ??= parts.fetch
      .get(url, { insecure: parts.insecure ?? false })
      .then(({ status, body }) => {
        if (status !== 200) throw new Error(`status ${status}`)
        // An unchanged set keeps its keys, and with them what was checked by them.
        if (kept.set === undefined || kept.document === undefined || !sameBytes(kept.document, body)) {
          const set = parseKeySet(body, parts.signatures)
          if (set === undefined) throw new Error('the document is no key set')
          kept.set = set
          kept.document = body
        }
        kept.fetchedAt = clock.now()
      })
      .catch((cause: unknown) => {
        kept.failedAt = clock.now()
        log.warn('a key set cannot be fetched', { api: apiId, reason: String(cause) })
      })
      .finally(() => {
        kept.loading = undefined
      })
    return kept.loading
  }

  const find = (kept: Kept, wish: KeyRequest): TokenKey | undefined => {
    if (clock.now() - kept.fetchedAt >= lifetimeMs) return undefined
    return kept.set?.find(wish.kid, wish.family)
  }

  return {
    keyFor(wish) {
      const kept = keptFor(wish)
      const now = clock.now()
      const age = now - kept.fetchedAt
      const mayTry = now - kept.failedAt >= failurePauseMs
      if (age >= lifetimeMs) {
        if (kept.loading === undefined && !mayTry) return undefined
        return load(kept, wish).then(() => find(kept, wish))
      }
      if (age >= lifetimeMs * freshShare && mayTry) void load(kept, wish)
      const key = find(kept, wish)
      if (key !== undefined || now - kept.refetchedAt < refetchPauseMs) return key
      kept.refetchedAt = now
      return load(kept, wish).then(() => find(kept, wish))
    },
    forget(apiId) {
      if (apiId === undefined) byApi.clear()
      else byApi.delete(apiId)
    },
  }
}

function emptyKept(): Kept {
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
