/**
 * A request and its answer as a client sees them, and the two ways to a gateway: in process and over HTTP. What is
 * recorded, replayed and compared is made of these.
 */
import {
  type GatewayRequest,
  type GatewayResponse,
  type Maybe,
  makeInjectedRequest,
  readAnswer,
  when,
} from '@turnpike/core'

/** Names and values in the order of the wire; names in lower case. */
export type HeaderLines = readonly (readonly [name: string, value: string])[]

export interface Ask {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers: HeaderLines
  /** `undefined`: none. */
  readonly body: Uint8Array | undefined
}

export interface Answered {
  readonly status: number
  readonly headers: HeaderLines
  readonly body: Uint8Array
}

/** Sends a request and reads its answer to the end. Rejects when none comes. */
export type Send = (ask: Ask) => Promise<Answered>

/** A request, as short as the caller likes. */
export function askFor(url: string, more: Partial<Omit<Ask, 'url'>> = {}): Ask {
  return { method: 'GET', headers: [], body: undefined, ...more, url }
}

/** The way into a gateway in this process: an engine's or a gateway's `handle`. */
export function sendInProcess(handle: (request: GatewayRequest) => Maybe<GatewayResponse>): Send {
  return async ({ method, url, headers, body }) => {
    const request = makeInjectedRequest({
      method,
      url,
      headers: headers.flat(),
      ...(body === undefined ? {} : { body }),
    })
    const { status, pairs, bytes } = await readAnswer(await when(handle(request), (answer) => answer))
    return { status, headers: linesOf(pairs), body: bytes }
  }
}

/** Headers of one connection, which `fetch` writes itself. */
const ofTheConnection = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'content-length', 'host'])

/** The way to a gateway elsewhere. `base`: `http://127.0.0.1:8080`. Redirects are answers like others. */
export function sendOverHttp(base: string): Send {
  return async ({ method, url, headers, body }) => {
    const sent = new Headers()
    for (const [name, value] of headers) if (!ofTheConnection.has(name.toLowerCase())) sent.append(name, value)
    const answer = await fetch(base + url, { method, headers: sent, redirect: 'manual', body: body?.slice() ?? null })
    return { status: answer.status, headers: [...answer.headers], body: new Uint8Array(await answer.arrayBuffer()) }
  }
}

function linesOf(pairs: readonly string[]): HeaderLines {
  const lines: [string, string][] = []
  for (let i = 0; i < pairs.length; i += 2) lines.push([pairs[i] ?? '', pairs[i + 1] ?? ''])
  return lines
}
