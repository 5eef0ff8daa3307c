/**
 * Decompresses bodies (content coding, RFC 9110 section 8.4.1) for stages that read or change them, and compresses them
 * again. gzip and deflate work in slices, so that large bodies do not block the event loop; brotli runs in the adapter.
 * Decompression has a size limit. Other responses pass as the upstream sent them, except that the clients for upstreams
 * decompress gzip that the gateway itself requested (`gunzip-response.ts` of `@turnpike/upstream`).
 */
import { BodyTooLarge, joinChunks } from '../../http/byte-stream.ts'
import type { Brotli } from '../../ports/brotli.ts'
import type { Clock } from '../../ports/clock.ts'

export type Coding = 'gzip' | 'deflate' | 'br'

/** Services for compression and decompression. */
export interface CodingServices {
  readonly clock: Clock
  /** Absent: brotli is not supported. */
  readonly brotli?: Brotli | undefined
}

/** Parses the header value; `undefined` if the coding is not supported. */
export function codingOf(contentEncoding: string, { brotli }: CodingServices): Coding | undefined {
  const name = contentEncoding.trim().toLowerCase()
  if (name === 'gzip' || name === 'x-gzip') return 'gzip'
  if (name === 'br' && brotli !== undefined) return 'br'
  return name === 'deflate' ? 'deflate' : undefined
}

/** Rejects with `BodyTooLarge` over the limit, and with an error of the library for corrupt data. */
export async function unpack(
  bytes: Uint8Array,
  coding: Coding,
  limit: number,
  services: CodingServices,
): Promise<Uint8Array> {
  if (coding === 'br' && services.brotli !== undefined) return services.brotli.unpack(bytes, limit)
  const { Decompress } = await loadFflate()
  // Detects gzip, zlib and raw deflate, because senders of `deflate` use different formats.
  return pump(new Decompress(), bytes, { limit, sliceBytes: compressedSliceBytes }, services.clock)
}

export async function pack(bytes: Uint8Array, coding: Coding, { brotli, clock }: CodingServices): Promise<Uint8Array> {
  if (coding === 'br' && brotli !== undefined) return brotli.pack(bytes)
  const sizes = { limit: Number.POSITIVE_INFINITY, sliceBytes: plainSliceBytes }
  const { Gzip, Zlib } = await loadFflate()
  return pump(coding === 'gzip' ? new Gzip() : new Zlib(), bytes, sizes, clock)
}

/** Loaded on first use, because it computes tables for 5 ms. */
const loadFflate = () => import('fflate')

interface Pump {
  ondata(chunk: Uint8Array, final: boolean): void
  push(chunk: Uint8Array, final?: boolean): void
}

/** Bytes that are compressed at once. */
const plainSliceBytes = 64 * 1024
/**
 * Bytes that are decompressed at once. Deflate expands them up to 1032 times, to 4 MiB in 11 ms, before the limit is
 * checked. Each slice copies the window of 32 KiB: with slices of 1 KiB a body of 1 MB takes 31 ms, with these 13 ms.
 */
const compressedSliceBytes = 4096
/** Bytes between two pauses: about 5 ms of work. */
const bytesPerTurn = 512 * 1024

async function pump(
  stream: Pump,
  bytes: Uint8Array,
  { limit, sliceBytes }: { readonly limit: number; readonly sliceBytes: number },
  clock: Clock,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  let sincePause = 0
  stream.ondata = (chunk) => {
    size += chunk.length
    sincePause += chunk.length
    if (size > limit) throw new BodyTooLarge(limit)
    chunks.push(chunk)
  }
  for (let at = 0; at === 0 || at < bytes.length; at += sliceBytes) {
    stream.push(bytes.subarray(at, at + sliceBytes), at + sliceBytes >= bytes.length)
    sincePause += sliceBytes
    if (sincePause > bytesPerTurn) {
      sincePause = 0
      await clock.breathe()
    }
  }
  return joinChunks(chunks, size)
}
