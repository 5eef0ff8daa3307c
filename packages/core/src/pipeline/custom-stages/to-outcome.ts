/** Converts what a custom stage returned to an outcome of the chain. */
import { headerOf } from '../../http/headers.ts'
import type { GatewayResponse, GatewayResponseBody } from '../../http/messages.ts'
import { type Rejection, rejections, reword } from '../../http/rejections.ts'
import { streamOfWeb } from '../../http/web-stream.ts'
import { isJson } from '../../lib/json.ts'
import type { Outcome } from '../contract/stage.ts'
import type { StageOutcome, StageReply } from './custom-stage.ts'
import { pairsOf } from './message-headers.ts'

/** Throws a `TypeError` for values that are no outcome. `stage`: its name, for the message. */
export function toOutcome(value: StageOutcome, stage: string): Outcome {
  if (value === undefined || value === null) return undefined
  if (!isJson(value)) throw new TypeError(`the stage ${stage} returned ${JSON.stringify(value)}; ${outcomes}`)
  if ('kind' in value && value.kind === 'rejection') return value as unknown as Rejection
  return toResponse(value as unknown as StageReply, stage)
}

const outcomes = 'it must return nothing, a reply with a status, or request.reject(status, message)'

/** The rejection of a stage. Throws a `TypeError` for a status that is no error. */
export function makeRejection(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Rejection {
  if (!Number.isInteger(status) || status < 400 || status > 599) {
    throw new TypeError(`a rejection needs a status from 400 to 599, given: ${String(status)}`)
  }
  return reword(rejections.stageRejected, { status, message: String(message), headers: pairsOf(headers) })
}

function toResponse({ status, headers = {}, body = null }: StageReply, stage: string): GatewayResponse {
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw new TypeError(`the stage ${stage} returned the status ${String(status)}; ${outcomes}`)
  }
  const pairs = pairsOf(headers)
  if (status === 204 || status === 304) return { status, headers: pairs, body: undefined }
  if (typeof body === 'string' && headerOf(pairs, 'content-type') === undefined) {
    pairs.push('content-type', 'text/plain; charset=utf-8')
  }
  return { status, headers: pairs, body: toBody(body, stage) }
}

function toBody(body: StageReply['body'], stage: string): GatewayResponseBody {
  if (body === null || body === undefined) return undefined
  if (typeof body === 'string' || body instanceof Uint8Array) return body
  if (typeof body.getReader === 'function') return streamOfWeb(body)
  throw new TypeError(`the body that the stage ${stage} returned must be a text, a Uint8Array or a ReadableStream`)
}

/** Thrown into a custom stage that reads a body which cannot be read. The request is then rejected. */
export class BodyRejected extends Error {
  readonly rejection: Rejection
  constructor(rejection: Rejection) {
    super(rejection.message.trim())
    this.name = 'BodyRejected'
    this.rejection = rejection
  }
}
