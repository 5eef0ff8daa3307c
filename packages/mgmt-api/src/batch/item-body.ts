/** The body of an item's answer, read to its end, within the room that all responses of a batch share. */
import {
  type ByteStream,
  type Clock,
  type GatewayResponse,
  joinChunks,
  type Maybe,
  type Rejection,
  rejections,
  utf8Text,
} from '@turnpike/core'
import type { ItemRequest } from './item-request.ts'

export interface ItemBody {
  readonly text: string
  /** Bytes taken of the shared room. */
  readonly bytes: number
  /** What `Content-Length` says of it; `undefined`: it came without a length. */
  readonly length: number | undefined
}

/** `broken`: the response broke off, so nobody may take it for a whole one. */
export type ItemBodyRead = ItemBody | Rejection | 'broken'

const nothing: ItemBody = { text: '', bytes: 0, length: undefined }

/** `timeoutMs`: time for a streaming body to end; 0: no limit. */
export function readItemBody(
  { status, body, bodyLength }: GatewayResponse,
  request: ItemRequest,
  clock: Clock,
  timeoutMs: number,
): Maybe<ItemBodyRead> {
  const { shares } = request.outer
  if (body === undefined || request.method === 'HEAD' || status === 204 || status === 304) {
    cancelBody(body)
    return request.method === 'HEAD' || status === 204 || status === 304 ? nothing : { ...nothing, length: 0 }
  }
  if (typeof body === 'string') {
    const length = Buffer.byteLength(body)
    return shares.takeBytes(0, length) ? { text: body, bytes: length, length } : rejections.batchResponseTooLarge
  }
  if (!(body instanceof Uint8Array)) return readStream(body, bodyLength, request, clock, timeoutMs)
  const { length } = body
  return shares.takeBytes(0, length)
    ? { text: utf8Text(body), bytes: length, length }
    : rejections.batchResponseTooLarge
}

export function cancelBody(body: GatewayResponse['body']): void {
  if (typeof body === 'object' && !(body instanceof Uint8Array)) body.cancel()
}

/** Without a promise and a timer where the whole body is there, as that of a small response mostly is. */
function readStream(
  stream: ByteStream,
  told: number | undefined,
  request: ItemRequest,
  clock: Clock,
  timeoutMs: number,
): Maybe<ItemBodyRead> {
  const { shares } = request.outer
  const chunks: Uint8Array[] = []
  let size = 0
  let settled: ItemBodyRead | undefined
  let tell: ((read: ItemBodyRead) => void) | undefined
  const settle = (read: ItemBodyRead) => {
    if (settled !== undefined) return
    settled = read
    if (read === 'broken' || 'kind' in read) shares.giveBytes(size)
    tell?.(read)
  }
  const giveUp = (read: ItemBodyRead) => {
    stream.cancel()
    settle(read)
  }
  stream.pipe({
    data(chunk) {
      if (shares.takeBytes(size, chunk.length)) {
        size += chunk.length
        chunks.push(chunk)
      } else giveUp(rejections.batchResponseTooLarge)
      return true
    },
    end: () => settle({ text: utf8Text(joinChunks(chunks, size)), bytes: size, length: told }),
    fail: () => settle('broken'),
  })
  if (settled !== undefined) return settled
  return new Promise((resolve) => {
    const stopTimer = timeoutMs > 0 ? clock.after(timeoutMs, () => giveUp(rejections.upstreamTimeout)) : undefined
    tell = (read) => {
      stopTimer?.()
      request.onAbort(undefined)
      resolve(read)
    }
    request.onAbort(() => giveUp('broken'))
  })
}
