/** Shared by the parts of the front end suite: how to make a front end, its documented limits, and a server for each test. */
import type { FrontEnd, Handle, Listening } from '@turnpike/core/ports'
import { expect, test } from 'vitest'
import { type Fixture, makeFixture } from './fixture-handler.ts'
import { type RawOptions, type RawOutcome, rawExchange } from './raw-exchange.ts'
import { hasResponse, readResponses, type WireResponse } from './wire-responses.ts'

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
  /** Sends bytes over a new connection, see `rawExchange`. */
  exchange(bytes: string, options?: RawOptions): Promise<RawOutcome>
  /** Sends a request over a new connection and returns its response. Rejects if there is none. */
  request(line: string, headers?: readonly string[], body?: string): Promise<WireResponse>
}

type Serve = (options?: FrontEndTestOptions, handle?: Handle) => Promise<Served>

/**
 * Returns the `test` of the suite. Its tests receive `served`, a server with the defaults of the front end, and `serve`, which
 * starts others. All servers are closed after the test.
 */
export function wireTest({ make }: FrontEndUnderTest) {
  return test.extend<{ serve: Serve; served: Served }>({
    serve: ({ onTestFinished }, use) =>
      use(async (options = {}, handle) => {
        const fixture = makeFixture()
        const listening = await make(options).listen(handle ?? fixture.handle, { host: '127.0.0.1', port: 0 })
        onTestFinished(() => listening.close(0))
        return { ...fixture, ...clientOf(listening.port), listening }
      }),
    served: async ({ serve }, use) => use(await serve()),
  })
}

function clientOf(port: number): Pick<Served, 'port' | 'exchange' | 'request'> {
  return {
    port,
    exchange: (bytes, options) => rawExchange(port, bytes, options),
    async request(line, headers, body) {
      const [method = ''] = line.split(' ')
      const until = (text: string) => hasResponse(text, method)
      const { text } = await rawExchange(port, requestBytes(line, headers, body), { until })
      const [response] = readResponses(text, [method])
      if (response === undefined) throw new Error(`no response to ${line}`)
      return response
    },
  }
}

/** Returns the bytes of a request. `line` is the method and the target, such as `GET /path`. */
export function requestBytes(line: string, headers: readonly string[] = [], body = ''): string {
  return [`${line} HTTP/1.1`, 'Host: a.test', ...headers, '', body].join('\r\n')
}

/** Checks that the server still responds. */
export async function expectAlive(served: Served): Promise<void> {
  expect((await served.request('GET /now')).body).toBe('now')
}
