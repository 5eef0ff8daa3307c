/** The request of an item: it uses the connection of the batch call. */
import { type ByteStream, type GatewayRequest, type HeaderPairs, httpVersionOf, streamOf } from '@turnpike/core/http'
import type { SharedBatchLimits } from './shared-batch-limits.ts'

/** What an item uses of its batch call. */
export interface BatchContext {
  /** The batch call. Items share its connection, not its headers or body. */
  readonly request: GatewayRequest
  /** Host header of the batch call. */
  readonly host: string
  /** Prefix of each item's path, with a trailing slash. */
  readonly prefix: string
  /** Nesting depth; 1 for a batch that a client sent. */
  readonly depth: number
  readonly limits: SharedBatchLimits
}

/** The parts of an item's request. */
export interface ItemRequestFields {
  readonly method: string
  /** Complete path, including the listen path. */
  readonly path: string
  readonly query: string
  /** Headers of the item itself. */
  readonly headers: HeaderPairs
  /** Empty if there is no body. */
  readonly body: Uint8Array
}

/** Methods whose requests carry `Content-Length` even without a body, because size limits require it. */
const methodsWithLength: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])

export class ItemRequest implements GatewayRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: HeaderPairs
  readonly remoteAddress: string
  readonly remotePort: number | undefined
  readonly httpVersion: string
  readonly secure: boolean
  readonly clientCertificate: Uint8Array | undefined
  readonly clientIntermediates: readonly Uint8Array[] | undefined
  readonly body: ByteStream | undefined
  readonly bodyLength: number
  readonly batch: BatchContext
  /** True while this item holds a slot of the semaphore. A nested batch releases its slot before its items run. */
  hasSlot = true
  private gone = false
  private listener: (() => void) | undefined = undefined

  constructor({ method, path, query, headers, body }: ItemRequestFields, batch: BatchContext) {
    this.method = method
    this.path = path
    this.query = query
    this.batch = batch
    this.remoteAddress = batch.request.remoteAddress
    this.remotePort = batch.request.remotePort
    this.httpVersion = httpVersionOf(batch.request)
    this.secure = batch.request.secure
    this.clientCertificate = batch.request.clientCertificate
    this.clientIntermediates = batch.request.clientIntermediates
    this.bodyLength = body.length
    this.body = body.length === 0 ? undefined : streamOf(body)
    this.headers = ['host', batch.host, ...headers]
    if (body.length > 0 || methodsWithLength.has(method)) this.headers.push('content-length', String(body.length))
  }

  onAbort(listener: (() => void) | undefined): void {
    this.listener = listener
    // Deferred, because the caller may not be ready before `onAbort` returns.
    if (this.gone && listener !== undefined) void Promise.resolve().then(() => this.notify())
  }

  /** Called when the client of the batch disconnects. */
  abort(): void {
    this.gone = true
    this.notify()
  }

  /** Releases the slot; further calls have no effect. */
  leave(): void {
    if (!this.hasSlot) return
    this.hasSlot = false
    this.batch.limits.semaphore.release()
  }

  private notify(): void {
    const listener = this.listener
    this.listener = undefined
    listener?.()
  }
}
