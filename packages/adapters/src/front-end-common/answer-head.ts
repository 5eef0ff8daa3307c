/** What both front ends have to know of an answer before they write its head. */
import type { Answer, AnswerBody, ByteStream } from '@turnpike/core'
import { refusals } from './refusal.ts'
import { isBodiless } from './status-text.ts'

/**
 * Whether the front end writes this header itself or leaves it out: framing and connection headers are between this
 * connection's two ends. `connection: close` is obeyed, not copied.
 */
export function isOwnHeader(name: string): boolean {
  switch (name.length) {
    case 7:
      return name === 'upgrade' || name === 'trailer'
    case 10:
      return name === 'connection' || name === 'keep-alive'
    case 14:
      return name === 'content-length'
    case 17:
      return name === 'transfer-encoding'
    default:
      return false
  }
}

/** Whether the client gets no body, whatever the answer carries. */
export function sendsNoBody(method: string, status: number): boolean {
  return method === 'HEAD' || isBodiless(status)
}

/**
 * The Content-Length of an answer that goes without its body: what a GET would have had, as far as it is known.
 * A 204 has none (RFC 9110, 8.6).
 */
export function reportedLength(answer: Answer, told: string | undefined): string | undefined {
  if (answer.status === 204 || answer.status < 200) return undefined
  if (told !== undefined && /^\d{1,15}$/.test(told)) return told
  if (answer.status === 304) return undefined
  const length = answer.bodyLength ?? wholeLength(answer.body)
  return length === undefined ? undefined : String(length)
}

function wholeLength(body: AnswerBody): number | undefined {
  if (body === undefined) return 0
  if (typeof body === 'string') return Buffer.byteLength(body)
  return body instanceof Uint8Array ? body.length : undefined
}

/** Whether the body still streams. */
export function isStream(body: AnswerBody): body is ByteStream {
  return typeof body === 'object' && !(body instanceof Uint8Array)
}

/** Gives up the body of an answer that nobody waits for any more. */
export function dropBody(answer: Answer): void {
  if (isStream(answer.body)) answer.body.cancel(new Error('nobody waits for the answer any more'))
  answer.tunnel?.incoming.cancel()
}

/** The answer when the engine itself broke. It never should: `Handle` promises not to throw. */
export function faultAnswer(): Answer {
  return {
    status: refusals.fault.status,
    headers: ['content-type', 'text/plain; charset=utf-8'],
    body: refusals.fault.text,
  }
}

/** Says why an answer was broken off: its stream did not have the length that was announced. */
export class WrongLength extends Error {
  constructor(sent: number, announced: number) {
    super(`a body of ${sent} bytes was announced with ${announced}`)
  }
}
