/** What a script responds: the response as it is, an error of the gateway, or a loop to another API. */

import { isFinalStatus } from '../../http/final-status.ts'
import { headerOf } from '../../http/headers.ts'
import type { GatewayResponse } from '../../http/messages.ts'
import { type Rejection, rejections, reword } from '../../http/rejections.ts'
import type { Maybe } from '../../lib/maybe.ts'
import type { LoopTarget } from '../contract/loop-target.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext, Outcome } from '../contract/stage.ts'
import { parseLoopTarget } from '../shared/parse-loop-target.ts'
import { sendToLoop } from '../shared/send-to-loop.ts'
import { type EndpointResult, headerPairs, type Overrides } from './script-results.ts'

/** The response; `undefined`: its status or a header is not valid. */
export function toResponse({ code, body, headers }: EndpointResult['response']): GatewayResponse | undefined {
  const pairs = headerPairs(headers)
  if (pairs === undefined || !isFinalStatus(code)) return undefined
  const hasBody = body !== '' && code !== 204 && code !== 304
  if (hasBody && headerOf(pairs, 'content-type') === undefined) pairs.push('content-type', 'text/plain; charset=utf-8')
  return { status: code, headers: pairs, body: hasBody ? body : '' }
}

/**
 * Sends the response, or follows the loop that a redirect to `svc://…` means (docs/reference/transforms.md#loops). The
 * word `tyk` is also known, because scripts in base64 cannot be renamed.
 */
export function sendOrLoop(
  response: GatewayResponse,
  context: RequestContext,
  { services }: CompileContext,
): Maybe<Outcome> {
  const target = loopOf(response, services.settings.vendor)
  if (target === undefined) return response
  const { loops } = services
  if (loops === undefined || !(target.api === 'self' || loops.knows(target.api))) return rejections.loopTarget
  context.trace?.note(`loops to ${target.api}${target.path}`)
  context.scripted = undefined
  return sendToLoop(context, target, loops)
}

function loopOf({ status, headers }: GatewayResponse, vendor: string): LoopTarget | undefined {
  if (status !== 301 && status !== 302) return undefined
  const location = headerOf(headers, 'location') ?? ''
  return parseLoopTarget(location, vendor) ?? parseLoopTarget(location, 'tyk')
}

/** Whether the script responds instead of letting the request continue. */
export function responds({ responseCode }: Overrides): boolean {
  return responseCode !== 0
}

/** The error of the gateway that a status from 400 up means; `undefined`: the response is sent as it is. */
export function rejectionOf(overrides: Overrides): Rejection | undefined {
  const { responseCode: status, overrideError } = overrides
  if (status < 400 || overrideError) return undefined
  const pairs = headerPairs(overrides.responseHeaders) ?? []
  // The error layout decides the type of the body.
  const headers = pairs.filter((_, i) => pairs[i - (i % 2)] !== 'content-type')
  return reword(rejections.scriptRefused, { status, message: textOf(overrides), headers })
}

export function responseOf(overrides: Overrides): GatewayResponse | undefined {
  const { responseCode: code, responseHeaders: headers } = overrides
  return toResponse({ code, body: textOf(overrides), headers })
}

/** `ResponseError`, if it is set, replaces `ResponseBody`. */
function textOf({ responseError, responseBody }: Overrides): string {
  return responseError === '' ? responseBody : responseError
}
