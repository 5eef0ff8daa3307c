/**
 * The JSON form of cached responses in `cache_mode: "rfc9111"`. The original gateway has no such mode, so these responses
 * have separate names. An invalidation removes them too.
 *
 * Format 1 is the list of variants. A list with a part of a representation has format 2, an object around the list. Nodes
 * that only know format 1 treat it as a miss; otherwise they would serve the part as the whole.
 */
import type { HeaderPairs } from '@turnpike/core/http'
import type { StoredResponse } from '@turnpike/core/ports'

type OriginFacts = NonNullable<StoredResponse['origin']>
type StoredPart = NonNullable<StoredResponse['part']>

interface Written {
  readonly status: number
  readonly headers: readonly string[]
  readonly body?: string | undefined
  readonly part?: StoredPart | undefined
  readonly bodyLength?: number | undefined
  readonly etag?: string | undefined
  readonly origin?: OriginFacts | undefined
}

export function printRevalidated(response: StoredResponse): string {
  const variants: Written[] = []
  for (let each: StoredResponse | undefined = response; each !== undefined; each = each.next) {
    const { status, headers, part, bodyLength, etag, origin } = each
    const body = each.body && Buffer.from(each.body).toString('base64')
    variants.push({ status, headers, body, part, bodyLength, etag, origin })
  }
  return JSON.stringify(variants.some(({ part }) => part !== undefined) ? { format: 2, variants } : variants)
}

/** Parses a text; `undefined` if it is invalid. */
export function parseRevalidated(text: string): StoredResponse | undefined {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return undefined
  }
  const variants = variantsOf(parsed)
  if (!Array.isArray(variants) || !variants.every(isWritten)) return undefined
  return variants.reduceRight<StoredResponse | undefined>((next, { body, headers, ...rest }) => {
    const variant: StoredResponse = {
      status: rest.status,
      headers: headers as HeaderPairs,
      body: body === undefined ? undefined : new Uint8Array(Buffer.from(body, 'base64')),
      bodyLength: rest.bodyLength,
      etag: rest.etag,
      ...(rest.part === undefined ? {} : { part: rest.part }),
      ...(rest.origin === undefined ? {} : { origin: rest.origin }),
      ...(next === undefined ? {} : { next }),
    }
    return variant
  }, undefined)
}

function variantsOf(parsed: unknown): unknown {
  if (Array.isArray(parsed)) return parsed
  const { format, variants } = (parsed ?? {}) as { readonly format?: unknown; readonly variants?: unknown }
  return format === 2 ? variants : undefined
}

function isWritten(value: unknown): value is Written {
  if (typeof value !== 'object' || value === null) return false
  const { status, headers, body, part, origin } = value as Partial<Written>
  return (
    typeof status === 'number' &&
    Array.isArray(headers) &&
    headers.every((text) => typeof text === 'string') &&
    (body === undefined || typeof body === 'string') &&
    (part === undefined || typeof part?.first === 'number') &&
    (origin === undefined || Array.isArray((origin as Partial<OriginFacts> | null)?.selectedBy))
  )
}
