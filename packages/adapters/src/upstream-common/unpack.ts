/**
 * Unpacks answers that came gzipped because the gateway asked for it. What cannot be unpacked is a stream that fails,
 * as if the upstream had broken off: the client never gets a part for the whole.
 */
import { createGunzip, gunzipSync } from 'node:zlib'
import { type ByteSink, type ByteStream, type HeaderPairs, streamOf, type UpstreamAnswer } from '@turnpike/core'

/** Unpacked bytes that are worth doing at once; beyond it the work is done in pieces, off the event loop. */
const atOnceBytes = 262_144

/** Unpacks a body that is there whole. */
export function unpackWhole(answer: UpstreamAnswer): UpstreamAnswer {
  const packed = answer.body as Uint8Array
  try {
    const body = gunzipSync(packed, { maxOutputLength: atOnceBytes })
    return { ...answer, headers: withoutCoding(answer.headers), body, bodyLength: body.length }
  } catch {
    // Too long for one go, or broken: the stream tells which.
    return unpackGzip(answer, streamOf(packed))
  }
}

/** Unpacks a body while it comes in. */
export function unpackGzip(answer: UpstreamAnswer, packed: ByteStream): UpstreamAnswer {
  return { ...answer, headers: withoutCoding(answer.headers), body: gunzipped(packed), bodyLength: undefined }
}

function withoutCoding(headers: HeaderPairs): HeaderPairs {
  const kept: HeaderPairs = []
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] as string
    if (name !== 'content-encoding' && name !== 'content-length') kept.push(name, headers[i + 1] as string)
  }
  return kept
}

function gunzipped(packed: ByteStream): ByteStream {
  const gunzip = createGunzip()
  let over = false
  let trailers: HeaderPairs | undefined
  const end = (tell: () => void) => {
    if (over) return
    over = true
    tell()
  }
  return {
    trailerNames: packed.trailerNames,
    pipe(sink: ByteSink) {
      gunzip.on('data', (chunk: Buffer) => {
        if (!over && !sink.data(chunk)) gunzip.pause()
      })
      gunzip.on('end', () => end(() => sink.end(trailers)))
      gunzip.on('error', (error) =>
        end(() => {
          packed.cancel(error)
          sink.fail(error)
        }),
      )
      gunzip.on('drain', () => packed.resume())
      packed.pipe({
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
      packed.cancel(reason)
    },
  }
}
