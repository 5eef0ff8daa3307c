/**
 * One request to an upstream over HTTP/2 and its response. A response of header fields alone has no body stream; every
 * other body is a stream, whose end carries the trailers.
 */
import { type ClientHttp2Stream, constants } from 'node:http2'
import { cancelBody, type HeaderPairs, headerOf, maxTrailerLines, passedTrailers } from '@turnpike/core/http'
import type { UpstreamLink, UpstreamRequest } from '@turnpike/core/ports'
import { ChunkJoiner } from '../shared/chunk-joiner.ts'
import { type Deadlines, rewatch } from '../shared/deadlines.ts'
import { isGzip } from '../shared/response-head.ts'
import { maySendAgain } from '../shared/retry-rule.ts'
import { type Settle, UpstreamCall } from '../shared/upstream-call.ts'
import { cancelledError, UpstreamTimeout, upstreamErrorOf } from '../shared/upstream-errors.ts'
import { requestFields, responseHeaders } from './http2-fields.ts'
import { Http2RequestBody } from './http2-request-body.ts'
import { Http1Selected, type PooledSession, type SessionPool } from './session-pool.ts'

/** An upstream that sends more informational responses before the final one only wants to keep the gateway busy. */
const maxInformationalResponses = 32

export class Http2Call extends UpstreamCall {
  private readonly pool: SessionPool
  private readonly fallback: UpstreamLink | undefined
  private cancelFallback: (() => void) | undefined = undefined
  private session: PooledSession | undefined = undefined
  private http2: ClientHttp2Stream | undefined = undefined
  private requestBody: Http2RequestBody | undefined = undefined
  protected override readonly joiner = new ChunkJoiner((bytes) => {
    if (this.stream?.push(bytes) === false) this.http2?.pause()
  })
  private trailers: HeaderPairs = []
  private error: unknown = undefined
  private attempts = 0

  constructor(
    request: UpstreamRequest,
    pool: SessionPool,
    deadlines: Deadlines,
    fallback: UpstreamLink | undefined,
    settle: Settle,
  ) {
    super(request, deadlines, settle)
    this.pool = pool
    this.fallback = fallback
    deadlines.watch(this, request.timeoutMs)
    request.onStart?.(() => this.cancel())
  }

  protected get waitsForClient(): boolean {
    return this.requestBody?.waitsForClient === true
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
    const { fallback, request } = this
    if (this.state !== 'waiting') return
    if (!(error instanceof Http1Selected) || fallback === undefined) {
      this.fail(error)
      return
    }
    const onStart = (cancel: () => void) => {
      this.cancelFallback = cancel
    }
    this.endWith(fallback.send({ ...request, onStart }))
  }

  override cancel(): void {
    this.cancelFallback?.()
    super.cancel()
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
      this.fail(error)
      return
    }
    this.attempts++
    this.session = session
    this.http2 = stream
    this.listen(stream, session)
    if (streams) {
      this.requestBody = new Http2RequestBody(stream, body, () => rewatch(this))
      this.requestBody.start()
    } else if (body !== undefined && body.length > 0) stream.end(body)
  }

  private listen(stream: ClientHttp2Stream, session: PooledSession): void {
    // The last argument, missing in the types, has the names and values in their original order.
    stream.on('response', (fields: { ':status'?: number }, flags: number, raw?: readonly string[]) => {
      this.onHead(stream, Number(fields[':status']), responseHeaders(raw ?? []), flags)
    })
    let informational = 0
    stream.on('headers', (fields: { ':status'?: number }, _flags: unknown, raw?: readonly string[]) => {
      if (++informational <= maxInformationalResponses) {
        this.receiveInterim(Number(fields[':status']), responseHeaders(raw ?? []))
        return
      }
      this.error ??= new Error(`the upstream sent over ${maxInformationalResponses} informational responses`)
      stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM)
    })
    stream.on('trailers', (_fields: unknown, _flags: unknown, raw?: readonly string[]) => {
      this.trailers = responseHeaders(raw ?? [])
    })
    stream.on('data', (chunk: Uint8Array) => {
      // Not `receiveBody`: Node can emit the first bytes before the head.
      rewatch(this)
      this.joiner.add(chunk)
    })
    // A stream that was reset also emits `end`; `close` follows and reports the failure.
    stream.on('end', () => {
      if (stream.rstCode === constants.NGHTTP2_NO_ERROR) this.onEnd(stream)
    })
    stream.on('error', (error) => {
      this.error ??= error
    })
    stream.on('close', () => {
      session.streamClosed()
      this.closed(stream.rstCode, session)
    })
  }

  private onHead(stream: ClientHttp2Stream, status: number, headers: HeaderPairs, flags: number): void {
    if (this.state !== 'waiting') return
    const text = headerOf(headers, 'content-length')
    const length = text === undefined ? undefined : Number(text)
    const gzipped = isGzip(headerOf(headers, 'content-encoding') ?? '')
    this.receiveHead({ status, headers, length, chunked: length === undefined, gzipped })
    if ((flags & constants.NGHTTP2_FLAG_END_STREAM) === 0 && this.request.method !== 'HEAD') this.openStream()
    else {
      this.complete(undefined)
      this.stopSending(stream)
    }
  }

  /** Event streams and gRPC streams may be silent between two messages. */
  protected override mayBeSilent(headers: HeaderPairs): boolean {
    return super.mayBeSilent(headers) || headerOf(headers, 'content-type')?.startsWith('application/grpc') === true
  }

  /** The response is complete. The upstream may not need the rest of the request. */
  private onEnd(stream: ClientHttp2Stream): void {
    const { trailers } = this
    if (this.state !== 'streaming') return
    if (trailers.length <= 2 * maxTrailerLines) this.complete(passedTrailers(trailers))
    else {
      const error = new Error('the response has too many trailers')
      this.failWith(error, upstreamErrorOf(error))
    }
    this.stopSending(stream)
  }

  private stopSending(stream: ClientHttp2Stream): void {
    if (this.requestBody?.cancel() === true) stream.close(constants.NGHTTP2_CANCEL)
  }

  /** The stream closed. A call that is not over yet has failed. */
  private closed(code: number, session: PooledSession): void {
    const error = session.error ?? this.error ?? new Error(`the upstream reset the stream with code ${code}`)
    if (this.state === 'over') return
    if (this.mayRetry(code, session)) this.run()
    else this.fail(error)
  }

  private mayRetry(code: number, session: PooledSession): boolean {
    if (this.state !== 'waiting') return false
    const { request, attempts } = this
    const lostUsedConnection = session.isLost && session.wasUsed
    return maySendAgain({
      request,
      attempts,
      lostUsedConnection,
      wasRefused: code === constants.NGHTTP2_REFUSED_STREAM,
    })
  }

  private fail(error: unknown): void {
    const failure = this.requestBody?.failure
    this.failWith(error, failure === undefined ? upstreamErrorOf(error) : cancelledError(failure))
    this.stopBody()
  }

  resumeReading(): void {
    this.http2?.resume()
  }

  protected stopTransfer(error: Error): void {
    // A dead connection looks like this too, so new requests get another one.
    if (error instanceof UpstreamTimeout) this.session?.retire()
    this.stopBody()
    this.http2?.close(constants.NGHTTP2_CANCEL)
  }

  private stopBody(): void {
    if (this.http2 === undefined) cancelBody(this.request.body)
    else this.requestBody?.cancel()
  }
}
