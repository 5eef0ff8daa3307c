/** Spellings of one key: they are one client, so they share one limit. */
import { randomUUID } from 'node:crypto'
import type { KeyPlace } from '../http/clients.ts'
import type { RateLimit } from '../models/model.ts'
import type { Trace, Variant } from '../trace/trace.ts'
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
  const { header } = place
  const byHttp: Variant[] =
    header === undefined
      ? []
      : [
          renamed('header name in capitals', header, header.toUpperCase()),
          renamed('header name in small letters', header, header.toLowerCase()),
          {
            label: 'key with blanks around it',
            shape: (request) => changeHeader(request, header, (value) => `  ${value} `),
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
  return [...byHttp, ...templates]
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

function changeHeader(request: Shaped, header: string, change: (value: string) => string): Shaped {
  return { ...request, headers: { ...request.headers, [header]: change(request.headers[header] ?? '') } }
}

function replaceKey(request: Shaped, key: string | undefined, change: (key: string) => string): Shaped {
  if (key === undefined) return request
  const swap = (text: string) => text.replace(key, () => change(key))
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, swap(value)]))
  return { ...request, headers, target: { ...request.target, path: swap(request.target.path) } }
}
