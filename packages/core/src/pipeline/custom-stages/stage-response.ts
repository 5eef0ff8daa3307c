/** The response as a custom stage sees it. */
import { BodyTooLarge, cancelBody } from '../../http/byte-stream.ts'
import { headerOf, removeHeader } from '../../http/headers.ts'
import type { GatewayResponse } from '../../http/messages.ts'
import { rejections } from '../../http/rejections.ts'
import { utf8Bytes, utf8Text } from '../../lib/text/utf8.ts'
import type { CompileContext } from '../contract/stage.ts'
import { bytesOfBody, maxBufferedResponseBytes, responseLimitFix } from '../shared/response-bytes.ts'
import type { MessageHeaders, StageResponse } from './custom-stage.ts'
import { PairHeaders } from './message-headers.ts'
import { BodyRejected } from './to-outcome.ts'

const noBody = new Uint8Array(0)

export class CustomStageResponse implements StageResponse {
  readonly headers: MessageHeaders
  private readonly response: GatewayResponse
  private readonly compileContext: CompileContext

  constructor(response: GatewayResponse, compileContext: CompileContext) {
    this.response = response
    this.compileContext = compileContext
    this.headers = new PairHeaders(
      () => response.headers,
      (apply) => apply(response.headers),
    )
  }

  get status(): number {
    return this.response.status
  }

  set status(status: number) {
    if (!Number.isInteger(status) || status < 200 || status > 599) {
      throw new TypeError(`a response needs a status from 200 to 599, given: ${String(status)}`)
    }
    this.response.status = status
  }

  async body(): Promise<Uint8Array> {
    const { response } = this
    const { body } = response
    if (body === undefined) return noBody
    if (typeof body === 'string') return utf8Bytes(body)
    const limit = maxBufferedResponseBytes(this.compileContext.services)
    try {
      const bytes = await bytesOfBody(body, limit)
      if (bytes !== body) response.bodyLength = undefined
      response.body = bytes
      return bytes
    } catch (cause) {
      if (!(cause instanceof BodyTooLarge)) throw new BodyRejected(rejections.upstreamBroken)
      const { api, services } = this.compileContext
      services.log.warn('a stage cannot read a response: it is too long', { api: api.id, fix: responseLimitFix })
      throw new BodyRejected(rejections.responseTooLarge)
    }
  }

  async text(): Promise<string> {
    const coding = headerOf(this.response.headers, 'content-encoding')
    if (coding !== undefined && coding !== 'identity') {
      throw new Error(`the response body is compressed (${coding}); set accept-encoding: identity on the request`)
    }
    return utf8Text(await this.body())
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text())
  }

  setBody(body: string | Uint8Array): void {
    this.discard()
    this.response.body = body
    this.response.bodyLength = undefined
    for (const name of ['content-length', 'content-encoding', 'content-md5', 'etag']) {
      removeHeader(this.response.headers, name)
    }
  }

  /** Releases a body that nobody will read. */
  discard(): void {
    cancelBody(this.response.body)
  }
}
