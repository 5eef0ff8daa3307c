/** An item on its way through the API: a request without a connection of its own. */
import { type ByteStream, type GatewayRequest, type HeaderPairs, streamOf } from '@turnpike/core'
import type { BatchShares } from './batch-shares.ts'

/** What an item takes from the batch call it came in. */
export interface Outer {
  /** The batch call: its connection is the item's, its headers and body are not. */
  readonly request: GatewayRequest
  /** Host header of the batch call. */
  readonly host: string
  /** What the path of an item begins with, with a trailing slash. */
  readonly prefix: string
  /** Levels of batches around the item; 1 for a batch that came from a client. */
  readonly depth: number
  readonly shares: BatchShares
}

/** What is asked. */
export interface Asked {
  readonly method: string
  /** Whole, the listen path included. */
  readonly path: string
  readonly query: string
  /** The item's own. */
  readonly headers: HeaderPairs
  /** Empty: none. */
  readonly body: Uint8Array
}

/** Methods whose requests tell a length even when they have no body; size limits ask for it. */
const tellLength: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])

export class ItemRequest implements GatewayRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: HeaderPairs
  readonly remoteAddress: string
  readonly secure: boolean
  readonly clientCertificate: Uint8Array | undefined
  readonly body: ByteStream | undefined
  readonly bodyLength: number
  readonly outer: Outer
  /** Whether it holds a place at the gate; a batch inside a batch gives it back. */
  hasPlace = true
  private gone = false
  private listener: (() => void) | undefined = undefined

  constructor({ method, path, query, headers, body }: Asked, outer: Outer) {
    this.method = method
    this.path = path
    this.query = query
    this.outer = outer
    this.remoteAddress = outer.request.remoteAddress
    this.secure = outer.request.secure
    this.clientCertificate = outer.request.clientCertificate
    this.bodyLength = body.length
    this.body = body.length === 0 ? undefined : streamOf(body)
    this.headers = ['host', outer.host, ...headers]
    if (body.length > 0 || tellLength.has(method)) this.headers.push('content-length', String(body.length))
  }

  onAbort(listener: (() => void) | undefined): void {
    this.listener = listener
    // Not at once: who registers may not be ready to be called before it returns.
    if (this.gone && listener !== undefined) void Promise.resolve().then(() => this.tell())
  }

  /** The client of the batch went away. */
  abort(): void {
    this.gone = true
    this.tell()
  }

  /** Gives the place at the gate back, once. */
  leave(): void {
    if (!this.hasPlace) return
    this.hasPlace = false
    this.outer.shares.gate.leave()
  }

  private tell(): void {
    const told = this.listener
    this.listener = undefined
    told?.()
  }
}
