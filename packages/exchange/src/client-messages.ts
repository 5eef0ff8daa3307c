/** A request and its response as a client sees them. */

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

/** A step of a trace: a pause, then a request. */
export interface TraceStep {
  readonly waitMs: number
  readonly request: ClientRequest
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

/** Converts names and values in turn to header lines. */
export function linesOf(pairs: readonly string[]): HeaderLines {
  const lines: [string, string][] = []
  for (let i = 0; i < pairs.length; i += 2) lines.push([pairs[i] ?? '', pairs[i + 1] ?? ''])
  return lines
}
