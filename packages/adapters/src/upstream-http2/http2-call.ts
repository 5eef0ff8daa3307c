/**
 * One request to an upstream over HTTP/2 and its response. A response of header fields alone has no body stream; every
 * other body is a stream, whose end carries the trailers. An error before the head gives an `UpstreamError`; a later
 * error fails the stream, so that a truncated body never looks complete.
 */
import { type ClientHttp2Stream, constants } from 'node:http2'
import {
  cancelBody,
  type HeaderPairs,
  headerOf,
  maxTrailerLines,
  passedTrailerNames,
  passedTrailers,
  type UpstreamError,
  type UpstreamLink,
  type UpstreamRequest,
  type UpstreamResponse,
} from '@turnpike/core'
import {
  type BodySource,
  ChunkJoiner,
  cancelledError,
  type DeadlineQueue,
  type Deadlines,
  gunzipStreamed,
  isEventStream,
  isForwardedInterim,
  ResponseBodyStream,
  rewatch,
  type Timed,
  timeoutError,
  UpstreamTimeout,
  unwatch,
  upstreamErrorOf,
} from '@turnpike/upstream-http1/shared'
import { requestFields, responseHeaders } from './http2-fields.ts'
import { Http2RequestBody } from './http2-request-body.ts'
import { Http1Selected, type PooledSession, type SessionPool } from './session-pool.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])
/** An upstream that sends more informational responses before the final one only wants to keep the gateway busy. */
const maxInformationalResponses = 32

export class Http2Call implements Timed, BodySource {
  timedQueue: DeadlineQueue | undefined = undefined
  timedBefore: Timed | undefined = undefined
  timedAfter: Timed | undefined = undefined
  timedSince = 0

  private readonly request: UpstreamRequest
  private readonly pool: SessionPool
  private readonly deadlines: Deadlines
  private readonly fallback: UpstreamLink | undefined
  private readonly settle: (result: UpstreamResponse | UpstreamError) => void
  private cancelFallback: (() => void) | undefined = undefined
  private state: 'waiting' | 'streaming' | 'over' = 'waiting'
  private session: PooledSession | undefined = undefined
  private stream: ClientHttp2Stream | undefined = undefined
  private requestBody: Http2RequestBody | undefined = undefined
  private responseBody: ResponseBodyStream | undefined = undefined
  private readonly joiner = new ChunkJoiner((bytes) => {
    if (this.responseBody?.push(bytes) === false) this.stream?.pause()
  })
  private trailers: HeaderPairs | undefined = undefined
  private error: unknown = undefined
  private attempts = 0

  constructor(
    request: UpstreamRequest,
    pool: SessionPool,
    deadlines: Deadlines,
    fallback: UpstreamLink | undefined,
    settle: (result: UpstreamResponse | UpstreamError) => void,
  ) {
    this.request = request
    this.pool = pool
    this.deadlines = deadlines
    this.fallback = fallback
    this.settle = settle
    deadlines.watch(this, request.timeoutMs)
    request.onStart?.(() => this.cancel())
  }

  /** Opens a stream on a session of the pool, as soon as there is one. */
  run(): void {
    const session = this.pool.pick()
    if (session !== undefined) this.sendOver(session)
    else {
      this.pool.open().then(
        () => {
          if (this.state === 'waiting') this.run()
        },
        (error: unknown) => this.notOpened(error),
      )
    }
  }

  /** An upstream that selected HTTP/1.1 gets the request from another client, which applies the timeout again. */
  private notOpened(error: unknown): void {
    const { fallback, request, settle } = this
    if (this.state !== 'waiting') return
    if (!(error instanceof Http1Selected) || fallback === undefined) {
      this.finishWith(upstreamErrorOf(error))
      return
    }
    unwatch(this)
    this.state = 'over'
    const onStart = (cancel: () => void) => {
      this.cancelFallback = cancel
    }
    void fallback.send({ ...request, onStart }).then(settle)
  }

  private cancel(): void {
    this.cancelFallback?.()
    this.abortCall(cancelledError(undefined), new Error('the call was cancelled'))
  }

  private sendOver(session: PooledSession): void {
    const { request } = this
    const { body } = request
    const streams = body !== undefined && !(body instanceof Uint8Array)
    let stream: ClientHttp2Stream
    try {
      stream = session.request(requestFields(request, this.pool.scheme, this.pool.authority), {
        endStream: body === undefined || (body instanceof Uint8Array && body.length === 0),
        waitForTrailers: streams && request.bodyLength === undefined,
      })
    } catch (error) {
      this.finishWith(upstreamErrorOf(error))
      return
    }
    this.attempts++
    this.session = session
    this.stream = stream
    this.listen(stream, session)
    if (streams) {
      this.requestBody = new Http2RequestBody(stream, body, () => rewatch(this))
      this.requestBody.start()
    } else if (body !== undefined && body.length > 0) stream.end(body)
  }

  private listen(stream: ClientHttp2Stream, session: PooledSession): void {
    // The last argument, missing in the types, has the names and values in their original order.
    stream.on('response', (fields: { ':status'?: number }, flags: number, raw?: readonly string[]) => {
      this.receiveHead(Number(fields[':status']), responseHeaders(raw ?? []), flags)
    })
    let informational = 0
    stream.on('headers', (fields: { ':status'?: number }, _flags: unknown, raw?: readonly string[]) => {
      if (++informational <= maxInformationalResponses) {
        const status = Number(fields[':status'])
        if (isForwardedInterim(status)) this.request.onInterim?.(status, responseHeaders(raw ?? []))
        return
      }
      this.error ??= new Error(`the upstream sent over ${maxInformationalResponses} informational responses`)
      stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM)
    })
    stream.on('trailers', (_fields: unknown, _flags: unknown, raw?: readonly string[]) => {
      this.trailers = responseHeaders(raw ?? [])
    })
    stream.on('data', (chunk: Uint8Array) => {
      rewatch(this)
      this.joiner.add(chunk)
    })
    // A stream that was reset also emits `end`; `close` follows and reports the failure.
    stream.on('end', () => {
      if (stream.rstCode === constants.NGHTTP2_NO_ERROR) this.complete()
    })
    stream.on('error', (error) => {
      this.error ??= error
    })
    stream.on('close', () => {
      session.streamClosed()
      this.closed(stream.rstCode, session)
    })
  }

  private receiveHead(status: number, headers: HeaderPairs, flags: number): void {
    const { request, stream } = this
    if (this.state !== 'waiting' || stream === undefined) return
    this.state = 'streaming'
    const length = lengthOf(headers)
    const isWhole = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0
    if (isWhole || request.method === 'HEAD') {
      const body = request.method === 'HEAD' ? undefined : new Uint8Array()
      const bodyLength = body === undefined ? length : 0
      this.finishWith({ kind: 'response', status, headers, body, bodyLength })
      this.stopSending(stream)
      return
    }
    this.deadlines.watch(this, isLongLived(headers) ? 0 : request.timeoutMs)
    const announced = length === undefined ? passedTrailerNames(headers) : undefined
    const body = new ResponseBodyStream(this, [], announced)
    this.responseBody = body
    const response: UpstreamResponse = { kind: 'response', status, headers, body, bodyLength: length }
    this.settle(request.unpack && isGzipped(headers) ? gunzipStreamed(response, body) : response)
  }

  /** The response is complete. The upstream may not need the rest of the request. */
  private complete(): void {
    const { stream, trailers = [] } = this
    if (this.state !== 'streaming' || stream === undefined) return
    this.joiner.flush()
    this.state = 'over'
    unwatch(this)
    if (trailers.length > 2 * maxTrailerLines) this.responseBody?.abort(new Error('the response has too many trailers'))
    else this.responseBody?.finish(passedTrailers(trailers))
    this.stopSending(stream)
  }

  private stopSending(stream: ClientHttp2Stream): void {
    if (this.requestBody?.cancel() === true) stream.close(constants.NGHTTP2_CANCEL)
  }

  /** The stream closed. A call that is not over yet has failed. */
  private closed(code: number, session: PooledSession): void {
    const error = session.error ?? this.error ?? new Error(`the upstream reset the stream with code ${code}`)
    if (this.state === 'streaming') {
      this.joiner.flush()
      this.state = 'over'
      unwatch(this)
      this.requestBody?.cancel()
      this.responseBody?.abort(error)
    } else if (this.state === 'waiting') {
      if (this.mayRetry(code, session)) this.run()
      else this.finishWith(this.errorBeforeHead(error))
    }
  }

  /**
   * A refused stream was not processed (RFC 9113 section 8.7). If a session that was used before is lost, its upstream most
   * likely closed it while the request was in transit.
   */
  private mayRetry(code: number, session: PooledSession): boolean {
    const { body, method } = this.request
    if (this.attempts > 1 || !(body === undefined || body instanceof Uint8Array)) return false
    if (code === constants.NGHTTP2_REFUSED_STREAM) return true
    return session.isLost && session.wasUsed && body === undefined && safeMethods.has(method)
  }

  private errorBeforeHead(error: unknown): UpstreamError {
    const failure = this.requestBody?.failure
    return failure === undefined ? upstreamErrorOf(error) : cancelledError(failure)
  }

  /** The deadline for the head, or for the next bytes of the body, has passed. */
  expire(): void {
    const { timeoutMs } = this.request
    const waits = this.state === 'waiting' && this.requestBody?.waitsForClient === true
    if (waits || this.responseBody?.pausesUpstream === true) {
      this.deadlines.watch(this, timeoutMs)
      return
    }
    // A dead connection looks like this too, so new requests get another one.
    this.session?.retire()
    this.abortCall(timeoutError(timeoutMs), new UpstreamTimeout(timeoutMs))
  }

  resumeReading(): void {
    this.stream?.resume()
  }

  abandon(): void {
    this.abortCall(cancelledError(undefined), new Error('the response body was cancelled'))
  }

  private abortCall(result: UpstreamError, error: Error): void {
    const { state, stream } = this
    if (state === 'over') return
    if (state === 'waiting') this.finishWith(result)
    else {
      this.joiner.flush()
      this.state = 'over'
      unwatch(this)
      this.responseBody?.abort(error)
    }
    this.requestBody?.cancel()
    stream?.close(constants.NGHTTP2_CANCEL)
  }

  private finishWith(result: UpstreamResponse | UpstreamError): void {
    if (this.state === 'over') return
    this.state = 'over'
    unwatch(this)
    if (this.stream === undefined) cancelBody(this.request.body)
    this.settle(result)
  }
}

function lengthOf(headers: HeaderPairs): number | undefined {
  const text = headerOf(headers, 'content-length')
  return text === undefined ? undefined : Number(text)
}

function isGzipped(headers: HeaderPairs): boolean {
  const coding = headerOf(headers, 'content-encoding')?.toLowerCase()
  return coding === 'gzip' || coding === 'x-gzip'
}

/** Event streams and gRPC streams may be silent between two messages. */
function isLongLived(headers: HeaderPairs): boolean {
  return isEventStream(headers) || headerOf(headers, 'content-type')?.startsWith('application/grpc') === true
}
