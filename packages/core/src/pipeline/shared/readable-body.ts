/** Decompresses the bodies of detailed records, so that readers find text and credentials in it can be masked. */
import { type HeaderPairs, headerOf } from '../../http/headers.ts'
import type { CodingServices } from './recode-body.ts'
import { codingOf, unpack } from './recode-body.ts'

export interface ReadableBody {
  readonly headers: HeaderPairs
  readonly body: Uint8Array
}

/** Returns true if the body has a content coding. */
export function isCoded(headers: HeaderPairs, body: Uint8Array): boolean {
  const coding = headerOf(headers, 'content-encoding')?.trim().toLowerCase() ?? ''
  return body.length > 0 && coding !== '' && coding !== 'identity'
}

/** Longest decompressed body in bytes. */
const maxUnpackedBytes = 1024 * 1024

/**
 * Returns the decompressed body, up to `limit` bytes, and the headers without its coding. If the coding is not supported,
 * or the body is incomplete or too long, both stay as they are; the mask then replaces the body.
 */
export async function readable(
  headers: HeaderPairs,
  body: Uint8Array,
  limit: number,
  services: CodingServices,
): Promise<ReadableBody> {
  const coding = isCoded(headers, body) ? codingOf(headerOf(headers, 'content-encoding') ?? '', services) : undefined
  if (coding === undefined) return { headers, body }
  try {
    const plain = await unpack(body, coding, maxUnpackedBytes, services)
    const kept = headers.filter((_, i) => (i % 2 === 0 ? headers[i] : headers[i - 1]) !== 'content-encoding')
    return { headers: kept, body: plain.length > limit ? plain.slice(0, limit) : plain }
  } catch {
    return { headers, body }
  }
}
