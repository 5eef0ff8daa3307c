/**
 * Token introspection (RFC 7662): the server that issued a token says whether it is active. Source:
 * docs/reference/external-oauth.md#token-introspection.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { LRUCache } from 'lru-cache'
import type { ExternalProvider } from '../../definition/external-oauth-shape.ts'
import { encodeField } from '../../lib/form.ts'
import type { Maybe } from '../../lib/maybe.ts'
import { readJson } from '../../lib/text/read-json.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'
import type { CallTracer } from '../../ports/call-span.ts'
import type { Millis } from '../../ports/clock.ts'
import type { Fetch } from '../../ports/fetch.ts'
import { isObject } from '../jwt/read-claims.ts'
import { externalIdentity } from './external-identity.ts'

export type Introspection =
  | { readonly kind: 'active'; readonly identity: string | undefined; readonly expires: number | undefined }
  | { readonly kind: 'inactive' }
  | { readonly kind: 'failed'; readonly reason: string }

/** Never rejects. Returns without a promise if the result is cached. `caller`: the span of the request. */
export type Introspect = (token: string, now: Millis, caller?: CallTracer) => Maybe<Introspection>

interface CachedIntrospection {
  readonly result: Introspection
  readonly until: Millis
}

/** Capacity of a cache in characters of identities; each entry counts as at least this many. */
const maxCharacters = 4 * 1024 * 1024
const entryCharacters = 400

/** The cache belongs to one API, so that no other API accepts its tokens. */
export function makeIntrospect(options: ExternalProvider['introspection'], fetch: Pick<Fetch, 'postForm'>): Introspect {
  const lifetimeMs = options.cache.enabled ? options.cache.timeout * 1000 : 0
  const call = (token: string, caller: CallTracer | undefined) => callServer(token, options, fetch, caller)
  if (lifetimeMs <= 0) return (token, _now, caller) => call(token, caller)
  // No limit on the number of entries, because LRUCache would preallocate it.
  const cache = new LRUCache<string, CachedIntrospection>({
    maxSize: maxCharacters,
    sizeCalculation: ({ result }) => entryCharacters + (result.kind === 'active' ? (result.identity?.length ?? 0) : 0),
  })
  const running = new Map<string, Promise<Introspection>>()

  const load = async (
    token: string,
    key: string,
    now: Millis,
    caller: CallTracer | undefined,
  ): Promise<Introspection> => {
    try {
      const result = await call(token, caller)
      if (result.kind !== 'failed') cache.set(key, { result, until: now + lifetimeMs })
      return result
    } finally {
      running.delete(key)
    }
  }

  return (token, now, caller) => {
    const key = hashOf(token)
    const cached = cache.get(key)
    if (cached !== undefined && now < cached.until) return unlessExpired(cached.result, now)
    const promise = running.get(key) ?? load(token, key, now, caller)
    running.set(key, promise)
    return promise
  }
}

/** The server decides about a fresh result; in the cache the token can expire. */
function unlessExpired(result: Introspection, now: Millis): Introspection {
  const hasExpired = result.kind === 'active' && result.expires !== undefined && result.expires * 1000 <= now
  return hasExpired ? { kind: 'inactive' } : result
}

async function callServer(
  token: string,
  { url, clientId, clientSecret, identityBaseField }: ExternalProvider['introspection'],
  fetch: Pick<Fetch, 'postForm'>,
  caller: CallTracer | undefined,
): Promise<Introspection> {
  const fields = { token, client_id: clientId, client_secret: clientSecret }
  const form = Object.entries(fields)
    .map(([name, value]) => `${name}=${encodeField(value)}`)
    .join('&')
  try {
    const { status, body } = await fetch.postForm(url, form, { caller })
    if (status !== 200) return { kind: 'failed', reason: `introspection: status ${status}` }
    const read = readJson(body)
    const value = read.problem === undefined ? read.value : undefined
    if (!isObject(value)) return { kind: 'failed', reason: 'introspection: no JSON object' }
    if (!Object.hasOwn(value, 'active')) return { kind: 'failed', reason: 'introspection: no member active' }
    if (value['active'] !== true) return { kind: 'inactive' }
    const expires = Object.hasOwn(value, 'exp') && typeof value['exp'] === 'number' ? value['exp'] : undefined
    return { kind: 'active', identity: externalIdentity(value, identityBaseField), expires }
  } catch (error) {
    return { kind: 'failed', reason: `introspection: ${String(error)}` }
  }
}

function hashOf(token: string): string {
  return Array.from(sha256(utf8Bytes(token)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
