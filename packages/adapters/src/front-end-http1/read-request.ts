/** From a parsed head to a request, or to the error response that it gets. */
import { METHODS } from 'node:http'
import type { RequestHead, RequestProblem } from '@turnpike/upstream/http1/request-parser'
import { checkRequest } from '../front-end-common/check-request.ts'
import { type ErrorResponse, errorResponses } from '../front-end-common/error-responses.ts'
import { parseRequestTarget, validTarget } from '../front-end-common/request-target.ts'
import { requestedProtocol } from '../front-end-common/upgrade-request.ts'
import type { Http1Message } from './http1-message.ts'
import type { Http1ServerState } from './http1-server-state.ts'

export interface ReadRequest {
  readonly message: Http1Message
  /** The request must be rejected with this response. */
  readonly errorResponse: ErrorResponse | undefined
}

/** Checks a head, and determines the length of its body and whether the connection persists (RFC 9112 sections 6 and 9). */
export function readRequest(head: RequestHead, { framing, options }: Http1ServerState): ReadRequest {
  const { method, minor, headers } = head
  const target = parseRequestTarget(head.target)
  const errorResponse = checkMethod(method) ?? checkRequest(head, target, framing, options.maxBodyBytes)
  // After other errors the length of the body is not known, and the connection closes.
  const isReadable = errorResponse === undefined || errorResponse.keepAlive === true
  const asksForUpgrade = errorResponse === undefined && framing.wantsUpgrade && minor === 1
  const protocol = asksForUpgrade ? requestedProtocol(headers) : ''
  const message: Http1Message = {
    method,
    minor,
    target: validTarget(target),
    headers,
    bodyLength: isReadable ? framing.bodyLength : 0,
    persists: isReadable && !framing.wantsClose && (minor === 1 || framing.wantsKeepAlive),
    expectsContinue: isReadable && framing.expectsContinue && minor === 1,
    upgrade: protocol === '' ? undefined : protocol,
  }
  return { message, errorResponse }
}

const maxShortBodyBytes = 16_384

/**
 * Whether the body is read before the handler is called. The handler gets a short one that has arrived with its head as
 * bytes, which are sent on in one write. `arrived`: bytes that follow the head. `maxBodyBytes`: 0 is no limit.
 */
export function isShortBody(bodyLength: number | undefined, arrived: number, maxBodyBytes: number): boolean {
  if (bodyLength !== undefined) return bodyLength > 0 && bodyLength <= Math.min(maxShortBodyBytes, arrived)
  return arrived > 0 && arrived <= Math.min(maxShortBodyBytes, maxBodyBytes || maxShortBodyBytes)
}

const knownMethods: ReadonlySet<string> = new Set(METHODS)

/** Node's parser accepts the same methods, so all front ends serve the same requests. */
function checkMethod(method: string): ErrorResponse | undefined {
  if (knownMethods.has(method)) return undefined
  // Methods are case-sensitive (RFC 9110 section 9.1).
  return knownMethods.has(method.toUpperCase()) ? errorResponses.badMethod : errorResponses.unknownMethod
}

/** Returns the response to bytes that the parser rejected. */
export function errorResponseOf(problem: RequestProblem): ErrorResponse {
  switch (problem) {
    case 'target':
      return errorResponses.badTarget
    case 'version':
      return errorResponses.badVersion
    case 'long-line':
      return errorResponses.longRequestLine
    case 'large-head':
    case 'large-trailers':
      return errorResponses.tooManyHeaders
    case 'chunks':
      return errorResponses.badChunks
    case 'message':
      return errorResponses.badMessage
  }
}
