/** Calls the handler of a front end. */
import type { GatewayRequest, GatewayResponse } from '@turnpike/core/http'
import { isPromise } from '@turnpike/core/lib'
import type { Handle, Log } from '@turnpike/core/ports'
import { errorResponses, textResponse } from './error-responses.ts'

/** A request whose response can be written. */
export interface SendableExchange extends GatewayRequest {
  send(response: GatewayResponse): void
}

/** Returns the function that calls the handler for a request and writes its response; 500 if the handler fails. */
export function makeResponder(handle: Handle, log: Log): (exchange: SendableExchange) => void {
  return (exchange) => {
    try {
      const response = handle(exchange)
      if (isPromise(response)) response.then((it) => exchange.send(it)).catch((error) => failed(exchange, error))
      else exchange.send(response)
    } catch (error) {
      failed(exchange, error)
    }
  }

  function failed(exchange: SendableExchange, error: unknown): void {
    log.error('the handler of a request failed', { error })
    exchange.send(textResponse(errorResponses.internalError))
  }
}
