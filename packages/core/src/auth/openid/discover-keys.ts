/**
 * Finds the URL of an issuer's key set by its configuration document (OpenID Connect Discovery 1.0, section 4). The result
 * is cached; concurrent requests share one fetch.
 */
import { isJson, type Json } from '../../lib/json.ts'
import type { Maybe } from '../../lib/maybe.ts'
import { readJson } from '../../lib/text/read-json.ts'
import type { Clock, Millis } from '../../ports/clock.ts'
import type { Fetch } from '../../ports/fetch.ts'
import type { Log } from '../../ports/log.ts'

/** Returns the URL of the key set; `undefined` if the issuer has none or cannot be reached. Never rejects. */
export type DiscoverKeys = (issuer: string) => Maybe<string | undefined>

export interface DiscoverKeysOptions {
  readonly fetch: Pick<Fetch, 'get'>
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
}

const lifetimeMs: Millis = 240_000
/** Pause after a failed fetch. */
const failurePauseMs: Millis = 1_000

interface Entry {
  url: string | undefined
  until: Millis
  loading: Promise<string | undefined> | undefined
}

/** `issuers` of the caller are few and come from a definition, so the cache needs no limit. */
export function makeDiscoverKeys({ fetch, clock, log }: DiscoverKeysOptions): DiscoverKeys {
  const entries = new Map<string, Entry>()

  const load = async (issuer: string, entry: Entry): Promise<string | undefined> => {
    try {
      entry.url = await fetchKeySetUrl(issuer, fetch)
      entry.until = clock.now() + lifetimeMs
    } catch (cause) {
      entry.url = undefined
      entry.until = clock.now() + failurePauseMs
      log.warn('the configuration of a token issuer cannot be fetched', { issuer, reason: String(cause) })
    } finally {
      entry.loading = undefined
    }
    return entry.url
  }

  return (issuer) => {
    const entry = entries.get(issuer) ?? { url: undefined, until: Number.NEGATIVE_INFINITY, loading: undefined }
    entries.set(issuer, entry)
    if (clock.now() < entry.until) return entry.url
    entry.loading ??= load(issuer, entry)
    return entry.loading
  }
}

async function fetchKeySetUrl(issuer: string, fetch: Pick<Fetch, 'get'>): Promise<string> {
  const { status, body } = await fetch.get(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
  if (status !== 200) throw new Error(`status ${status}`)
  const read = readJson(body)
  const document: Json = read.problem === undefined && isJson(read.value) ? read.value : {}
  if (document['issuer'] !== issuer) throw new Error('the document names another issuer')
  const url = document['jwks_uri']
  if (typeof url !== 'string' || !/^https?:\/\//i.test(url)) throw new Error('the document has no jwks_uri')
  return url
}
