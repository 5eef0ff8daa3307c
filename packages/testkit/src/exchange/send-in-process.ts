/** Sends requests to a gateway in the same process. */
import { collectResponse, makeInjectedRequest } from '@turnpike/core/engine'
import type { GatewayRequest, GatewayResponse } from '@turnpike/core/http'
import { type Maybe, when } from '@turnpike/core/lib'
import { linesOf, type Send } from '@turnpike/exchange'

/** Sends to a gateway in the same process through its `handle` function. */
export function sendInProcess(handle: (request: GatewayRequest) => Maybe<GatewayResponse>): Send {
  return async ({ method, url, headers, body }) => {
    const request = makeInjectedRequest({
      method,
      url,
      headers: headers.flat(),
      ...(body === undefined ? {} : { body }),
    })
    const { status, pairs, bytes } = await collectResponse(await when(handle(request), (response) => response))
    return { status, headers: linesOf(pairs), body: bytes }
  }
}
