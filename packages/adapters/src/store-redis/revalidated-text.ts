/**
 * The JSON form of cached responses in `cache_mode: "rfc9111"`. The original gateway has no such mode, so these responses
 * have separate names. An invalidation removes them too.
 */
import type { HeaderPairs, StoredResponse } from '@turnpike/core'

type OriginFacts = NonNullable<StoredResponse['origin']>

interface Written {
  readonly status: number
  readonly headers: string[]
  readonly body?: string
  readonly bodyLength?: number
  readonly etag?: string
  readonly origin?: OriginFacts
}

export function printRevalidated(response: StoredResponse): string {
  const variants: Written[] = []
  for (let each: StoredResponse | undefined = response; each !== undefined; each = each.next) {
    const { status, headers, body, bodyLength, etag, origin } = each
    variants.push({
      status,
      headers: [...headers],
      ...(body === undefined ? {} : { body: Buffer.from(body).toString('base64') }),
      ...(bodyLength === undefined ? {} : { bodyLength }),
      ...(etag === undefined ? {} : { etag }),
      ...(origin === undefined ? {} : { origin }),
    })
  }
  return JSON.stringify(variants)
}

/** Parses a text; `undefined` if it is invalid. */
export function parseRevalidated(text: string): StoredResponse | undefined {
  let variants: unknown
  try {
    variants = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!Array.isArray(variants) || !variants.every(isWritten)) return undefined
  return variants.reduceRight<StoredResponse | undefined>((next, { body, headers, ...rest }) => {
    const variant: StoredResponse = {
      status: rest.status,
      headers: headers as HeaderPairs,
      body: body === undefined ? undefined : new Uint8Array(Buffer.from(body, 'base64')),
      bodyLength: rest.bodyLength,
      etag: rest.etag,
      ...(rest.origin === undefined ? {} : { origin: rest.origin }),
      ...(next === undefined ? {} : { next }),
    }
    return variant
  }, undefined)
}

function isWritten(value: unknown): value is Written {
  if (typeof value !== 'object' || value === null) return false
  const { status, headers, body, origin } = value as Partial<Written>
  return (
    typeof status === 'number' &&
    Array.isArray(headers) &&
    headers.every((text) => typeof text === 'string') &&
    (body === undefined || typeof body === 'string') &&
    (origin === undefined || Array.isArray((origin as Partial<OriginFacts> | null)?.selectedBy))
  )
}
