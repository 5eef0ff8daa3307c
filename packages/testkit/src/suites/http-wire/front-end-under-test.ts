/** Shared by the parts of the front end suite: how to make a front end, its documented limits, and a server for each test. */
import type { FrontEnd, Handle, Listening } from '@turnpike/core'
import { afterEach, expect } from 'vitest'
import { type Fixture, makeFixture } from './fixture-handler.ts'
import { rawExchange } from './raw-exchange.ts'
import { hasResponse, readResponses } from './wire-responses.ts'

/** Options that a front end must accept. The defaults are those of the front end. */
export interface FrontEndTestOptions {
  readonly maxBodyBytes?: number
  readonly bodyStallMs?: number
  readonly headerTimeoutMs?: number
}

/** Differences between front ends. Each one is a documented limit of the HTTP parser. */
export interface FrontEndTraits {
  /** Supports HTTP/1.0. */
  readonly http10: boolean
  /** Accepts a request line that is split at any byte into several TCP segments. */
  readonly joinsRequestLines: boolean
  /** Responds to requests that are pipelined before the previous response is complete; otherwise it closes the connection. */
  readonly pipelinesLater: boolean
  /** Keeps the connection open after a chunked request, and parses chunk extensions and trailers. */
  readonly trustsChunks: boolean
  /** Forwards trailers; otherwise it drops them. Default: false. */
  readonly trailers?: boolean
  /** Supports `headerTimeoutMs`; otherwise connections with an incomplete head are closed after about 10 s. */
  readonly setsHeaderTimeout: boolean
  /** Supports HTTP/2 on the same TCP port. Default: false. */
  readonly http2?: boolean
}

export interface FrontEndUnderTest {
  readonly make: (options: FrontEndTestOptions) => FrontEnd
  readonly traits: FrontEndTraits
}

export interface Served extends Fixture {
  readonly port: number
  readonly listening: Listening
}

/** Returns a function that starts a server. All servers are closed after each test. */
export function makeServer({
  make,
}: FrontEndUnderTest): (options?: FrontEndTestOptions, handle?: Handle) => Promise<Served> {
  const open: Listening[] = []
  afterEach(async () => {
    for (const listening of open.splice(0)) await listening.close(0)
  })
  return async (options = {}, handle) => {
    const fixture = makeFixture()
    const listening = await make(options).listen(handle ?? fixture.handle, { host: '127.0.0.1', port: 0 })
    open.push(listening)
    return { ...fixture, port: listening.port, listening }
  }
}

/** Polls until the condition is true. Rejects after `limitMs` (default 5 s). */
export async function until(check: () => boolean, limitMs = 5_000): Promise<void> {
  for (let waited = 0; !check(); waited += 5) {
    if (waited > limitMs) throw new Error('the condition did not become true in time')
    await pause(5)
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Returns the bytes of a request. `line` is the method and the target, such as `GET /path`. */
export function requestBytes(line: string, headers: readonly string[] = [], body = ''): string {
  return [`${line} HTTP/1.1`, 'Host: a.test', ...headers, '', body].join('\r\n')
}

/** Checks that the server still responds. */
export async function expectAlive(served: Served): Promise<void> {
  const { text } = await rawExchange(served.port, requestBytes('GET /now'), { until: hasResponse })
  expect(readResponses(text)[0]?.body).toBe('now')
}
