import { BodyTooLarge, type ByteSink, type ByteStream } from '@turnpike/core/http'

export interface BodyBounds {
  /** The announced length in bytes; `undefined`: none. */
  readonly length: number | undefined
  /** Maximum bytes; 0: no limit. */
  readonly limit: number
  /** Called once if the body exceeds the limit, after the stream has failed. */
  readonly onTooLarge: () => void
}

/**
 * A stream that fails if it exceeds the limit or does not have exactly the announced length. A `Request` can announce a
 * length that its body does not have, and the upstream would read the surplus bytes as another request.
 */
export function boundedBody(stream: ByteStream, bounds: BodyBounds): ByteStream {
  return {
    pipe: (sink) => stream.pipe(boundedSink(stream, sink, bounds)),
    pause: () => stream.pause(),
    resume: () => stream.resume(),
    cancel: (reason) => stream.cancel(reason),
  }
}

function boundedSink(stream: ByteStream, sink: ByteSink, { length, limit, onTooLarge }: BodyBounds): ByteSink {
  let received = 0
  let failed = false
  const fail = (error: unknown) => {
    failed = true
    stream.cancel()
    sink.fail(error)
  }
  const mismatch = () => fail(new Error(`the request body does not have the ${length} bytes of its Content-Length`))
  return {
    data(chunk) {
      if (failed) return true
      received += chunk.length
      if (limit > 0 && received > limit) {
        fail(new BodyTooLarge(limit))
        onTooLarge()
      } else if (length !== undefined && received > length) mismatch()
      else return sink.data(chunk)
      return true
    },
    end(trailers) {
      if (failed) return
      if (length === undefined || received === length) sink.end(trailers)
      else mismatch()
    },
    fail(error) {
      if (!failed) sink.fail(error)
    },
  }
}
