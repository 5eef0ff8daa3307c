/**
 * Decompresses gzipped responses if the gateway itself requested gzip. Invalid data fails the body stream, so that the
 * client never mistakes a partial body for a complete one.
 */
import { createGunzip, gunzipSync } from 'node:zlib'
import { type ByteSink, type ByteStream, type HeaderPairs, streamOf } from '@turnpike/core/http'
import type { UpstreamResponse } from '@turnpike/core/ports'

/** Maximum decompressed bytes of synchronous decompression; larger bodies are decompressed in the thread pool. */
const maxSyncBytes = 262_144

/** Decompresses a complete body. */
export function gunzipWhole(response: UpstreamResponse): UpstreamResponse {
  const compressed = response.body as Uint8Array
  try {
    const body = gunzipSync(compressed, { maxOutputLength: maxSyncBytes })
    return { ...response, headers: withoutCoding(response.headers), body, bodyLength: body.length }
  } catch {
    // The body is too large or invalid; streaming handles both.
    return gunzipStreamed(response, streamOf(compressed))
  }
}

/** Decompresses a streamed body. */
export function gunzipStreamed(response: UpstreamResponse, compressed: ByteStream): UpstreamResponse {
  return { ...response, headers: withoutCoding(response.headers), body: gunzipped(compressed), bodyLength: undefined }
}

function withoutCoding(headers: HeaderPairs): HeaderPairs {
  const kept: HeaderPairs = []
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] as string
    if (name !== 'content-encoding' && name !== 'content-length') kept.push(name, headers[i + 1] as string)
  }
  return kept
}

function gunzipped(compressed: ByteStream): ByteStream {
  const gunzip = createGunzip()
  let over = false
  let trailers: HeaderPairs | undefined
  const end = (notify: () => void) => {
    if (over) return
    over = true
    notify()
  }
  return {
    trailerNames: compressed.trailerNames,
    pipe(sink: ByteSink) {
      gunzip.on('data', (chunk: Buffer) => {
        if (!over && !sink.data(chunk)) gunzip.pause()
      })
      gunzip.on('end', () => end(() => sink.end(trailers)))
      gunzip.on('error', (error) =>
        end(() => {
          compressed.cancel(error)
          sink.fail(error)
        }),
      )
      gunzip.on('drain', () => compressed.resume())
      compressed.pipe({
        data: (chunk) => gunzip.write(chunk),
        end(given) {
          trailers = given
          gunzip.end()
        },
        fail: (error) =>
          end(() => {
            gunzip.destroy()
            sink.fail(error)
          }),
      })
    },
    pause: () => gunzip.pause(),
    resume: () => gunzip.resume(),
    cancel(reason) {
      over = true
      gunzip.destroy()
      compressed.cancel(reason)
    },
  }
}
