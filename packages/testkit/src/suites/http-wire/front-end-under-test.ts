/** What the parts of the front end suite share: the front end's making, its known limits, and a server for each test. */
import type { FrontEnd, Handle, Listening } from '@turnpike/core'
import { afterEach, expect } from 'vitest'
import { type Fixture, makeFixture } from './fixture-handler.ts'
import { rawExchange } from './raw-exchange.ts'
import { hasResponse, readResponses } from './wire-responses.ts'

/** Settings that a front end of the suite must take; each optional, with the front end's own defaults. */
export interface FrontEndTestOptions {
  readonly maxBodyBytes?: number
  readonly bodyStallMs?: number
  readonly headerTimeoutMs?: number
}

/** What a front end cannot do, or does in its own way. Each is a documented fact of its parser, never a convenience. */
export interface FrontEndTraits {
  /** Speaks HTTP/1.0. */
  readonly http10: boolean
  /** Reads a request line that comes in pieces, wherever it is split. */
  readonly joinsRequestLines: boolean
  /** Answers requests that are pipelined over an answer still in the making; else it closes the connection. */
  readonly pipelinesLater: boolean
  /** Keeps the connection after a chunked request, and reads chunk extensions and trailers. */
  readonly trustsChunks: boolean
  /** Reads and writes trailers; else they are dropped. Default: false. */
  readonly trailers?: boolean
  /** Takes `headerTimeoutMs`; else incomplete heads are cut after about 10 s. */
  readonly setsHeaderTimeout: boolean
  /** Speaks HTTP/2 on the same port. Default: false. */
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

/** How the tests of one part start servers; all are closed after each test. */
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

/** Waits until something is so. Rejects after `limitMs`, 5 s by default. */
export async function until(check: () => boolean, limitMs = 5_000): Promise<void> {
  for (let waited = 0; !check(); waited += 5) {
    if (waited > limitMs) throw new Error('waited in vain')
    await pause(5)
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** A request as bytes: `GET /path` and header lines. */
export function requestBytes(line: string, headers: readonly string[] = [], body = ''): string {
  return [`${line} HTTP/1.1`, 'Host: a.test', ...headers, '', body].join('\r\n')
}

/** The server still answers. */
export async function expectAlive(served: Served): Promise<void> {
  const { text } = await rawExchange(served.port, requestBytes('GET /now'), { until: hasResponse })
  expect(readResponses(text)[0]?.body).toBe('now')
}
