import type { IncomingMessage } from 'node:http'

/** The description of a request that the echo upstream returns. */
export interface Echo {
  readonly method: string
  /** Path and query as they came. */
  readonly url: string
  /** As `node:http` joins them: names in lower case, repeated ones by `, `. */
  readonly headers: IncomingMessage['headers']
  readonly body: string
  /** How many requests this path has had, this one included. */
  readonly hit: number
}

/** The request as the response of the echo upstream shows it. */
export function echoOf(request: IncomingMessage, body: Buffer, hit: number): Echo {
  return { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body: body.toString(), hit }
}
