/**
 * A request and its response as a client sees them, and a function that sends requests to a gateway in the same
 * process. `send-over-http.ts` sends them over HTTP.
 */
import {
  collectResponse,
  type GatewayRequest,
  type GatewayResponse,
  type Maybe,
  makeInjectedRequest,
  when,
} from '@turnpike/core'

/** Header names (in lower case) and values, in the order of the wire. */
export type HeaderLines = readonly (readonly [name: string, value: string])[]

export interface ClientRequest {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers: HeaderLines
  /** `undefined` if there is no body. */
  readonly body: Uint8Array | undefined
}

export interface ClientResponse {
  readonly status: number
  readonly headers: HeaderLines
  readonly body: Uint8Array
}

/** Sends a request and reads the complete response. Rejects if there is none. */
export type Send = (request: ClientRequest) => Promise<ClientResponse>

/** Makes a request; the method is GET by default. */
export function makeRequest(url: string, more: Partial<Omit<ClientRequest, 'url'>> = {}): ClientRequest {
  return { method: 'GET', headers: [], body: undefined, ...more, url }
}

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

/** Converts names and values in turn to header lines. */
export function linesOf(pairs: readonly string[]): HeaderLines {
  const lines: [string, string][] = []
  for (let i = 0; i < pairs.length; i += 2) lines.push([pairs[i] ?? '', pairs[i + 1] ?? ''])
  return lines
}
