/** Spellings of one key: they are one client, so they share one limit. */
import { randomUUID } from 'node:crypto'
import type { KeyPlace } from '../http/client-pool.ts'
import type { RateLimit } from '../models/model.ts'
import type { Trace, Variant } from '../trace/trace-and-history.ts'
import { overflowOf } from './attack.ts'

export interface SpellingOptions {
  readonly place: KeyPlace
  /** Templates that the user states to be the same key: `{key}` is the key, `{KEY}` the key in capitals. */
  readonly stated: readonly string[]
}

/** A key that no gateway knows. If it is admitted, any text is a key, and spellings are different keys. */
export const unknownKey: Variant = {
  label: 'a key that does not exist',
  // Drawn, so that two runs at the same time do not share a limit.
  shape: (request, client) => replaceKey(request, client.key, () => `judge-no-such-key-${randomUUID()}`),
}

/** Spellings that HTTP or the user declares equal, and with `closed` those that a gateway can only accept on purpose. */
export function spellings({ place, stated }: SpellingOptions, closed: boolean): readonly Variant[] {
  const { header, query } = place
  const encodedKey: Variant = {
    label: 'key percent-encoded',
    shape: (request, client) =>
      replaceKey(request, encodeURIComponent(client.key ?? ''), () => percentEncoded(client.key)),
  }
  const byUrl = query === undefined ? [] : [encodedKey, encodedName(query)]
  const byHttp: Variant[] =
    header === undefined
      ? byUrl
      : [
          renamed('header name in capitals', header, header.toUpperCase()),
          renamed('header name in small letters', header, header.toLowerCase()),
          {
            label: 'key with blanks around it',
            shape: ({ headers, ...request }) => ({
              ...request,
              headers: { ...headers, [header]: `  ${headers[header] ?? ''} ` },
            }),
          },
        ]
  const guessed = closed ? ['{KEY}', 'Bearer {key}', 'bearer {key}', '"{key}"'] : []
  const templates = [...new Set([...stated, ...guessed])].map(
    (template): Variant => ({
      label: `key spelled ${template}`,
      shape: (request, client) =>
        replaceKey(request, client.key, (key) =>
          template.replaceAll('{key}', key).replaceAll('{KEY}', key.toUpperCase()),
        ),
    }),
  )
  return [...byHttp, ...(closed && header !== undefined ? [encodedKey] : []), ...templates]
}

/** Every byte as %XX, which is the same text in a URL (RFC 3986, section 2.3). */
function percentEncoded(text = ''): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`).join('')
}

function encodedName(query: string): Variant {
  return {
    label: 'name of the query parameter percent-encoded',
    shape(request) {
      // The key is the last parameter.
      const { path } = request.target
      const start = path.lastIndexOf(`${query}=`)
      const encoded = `${path.slice(0, start)}${percentEncoded(query)}${path.slice(start + query.length)}`
      return { ...request, target: { ...request.target, path: encoded } }
    },
  }
}

/** Uses up the limit, and then requests as the same client in another spelling. */
export function spellingTraces(limit: RateLimit, variants: readonly Variant[]): readonly Trace[] {
  return variants.map((variant) => ({
    steps: [
      { atMs: 0, count: overflowOf(limit), together: false },
      { atMs: 1, count: Math.min(limit.count, 5) + 1, together: false, variant },
    ],
  }))
}

function renamed(label: string, header: string, name: string): Variant {
  return {
    label,
    shape(request) {
      const { [header]: value = '', ...rest } = request.headers
      return { ...request, headers: { ...rest, [name]: value } }
    },
  }
}

type Shaped = Parameters<Variant['shape']>[0]

/** Replaces the key of the client wherever the request has it. */
export function replaceKey(request: Shaped, key: string | undefined, change: (key: string) => string): Shaped {
  if (key === undefined) return request
  const swap = (text: string) => text.replace(key, () => change(key))
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, swap(value)]))
  return { ...request, headers, target: { ...request.target, path: swap(request.target.path) } }
}
