/** Reads the complete body of an item's response within the byte limit that all responses of a batch share. */
import {
  type ByteStream,
  cancelBody,
  type GatewayResponse,
  joinChunks,
  type Rejection,
  rejections,
} from '@turnpike/core/http'
import { type Maybe, utf8Text } from '@turnpike/core/lib'
import type { Clock } from '@turnpike/core/ports'
import type { ItemRequest } from './item-request.ts'

export interface ItemBody {
  readonly text: string
  /** Bytes reserved from the shared limit. */
  readonly bytes: number
  /** Value of `Content-Length`; `undefined` if the response had none. */
  readonly length: number | undefined
}

/** `broken`: the response ended before it was complete. */
export type ItemBodyRead = ItemBody | Rejection | 'broken'

const nothing: ItemBody = { text: '', bytes: 0, length: undefined }

/** `timeoutMs`: time limit for a streaming body; 0: no limit. */
export function readItemBody(
  { status, body, bodyLength }: GatewayResponse,
  request: ItemRequest,
  clock: Clock,
  timeoutMs: number,
): Maybe<ItemBodyRead> {
  const { limits } = request.batch
  if (body === undefined || request.method === 'HEAD' || status === 204 || status === 304) {
    cancelBody(body)
    return request.method === 'HEAD' || status === 204 || status === 304 ? nothing : { ...nothing, length: 0 }
  }
  if (typeof body === 'string') {
    const length = Buffer.byteLength(body)
    return limits.reserveBytes(0, length) ? { text: body, bytes: length, length } : rejections.batchResponseTooLarge
  }
  if (!(body instanceof Uint8Array)) return readStream(body, bodyLength, request, clock, timeoutMs)
  const { length } = body
  return limits.reserveBytes(0, length)
    ? { text: utf8Text(body), bytes: length, length }
    : rejections.batchResponseTooLarge
}

/** Returns without a promise and a timer if the whole body has arrived, which is usual for small responses. */
function readStream(
  stream: ByteStream,
  contentLength: number | undefined,
  request: ItemRequest,
  clock: Clock,
  timeoutMs: number,
): Maybe<ItemBodyRead> {
  const { limits } = request.batch
  const chunks: Uint8Array[] = []
  let size = 0
  let settled: ItemBodyRead | undefined
  let resolveRead: ((read: ItemBodyRead) => void) | undefined
  const settle = (read: ItemBodyRead) => {
    if (settled !== undefined) return
    settled = read
    if (read === 'broken' || 'kind' in read) limits.releaseBytes(size)
    resolveRead?.(read)
  }
  const cancelWith = (read: ItemBodyRead) => {
    stream.cancel()
    settle(read)
  }
  stream.pipe({
    data(chunk) {
      if (limits.reserveBytes(size, chunk.length)) {
        size += chunk.length
        chunks.push(chunk)
      } else cancelWith(rejections.batchResponseTooLarge)
      return true
    },
    end: () => settle({ text: utf8Text(joinChunks(chunks, size)), bytes: size, length: contentLength }),
    fail: () => settle('broken'),
  })
  if (settled !== undefined) return settled
  return new Promise((resolve) => {
    const stopTimer = timeoutMs > 0 ? clock.after(timeoutMs, () => cancelWith(rejections.upstreamTimeout)) : undefined
    resolveRead = (read) => {
      stopTimer?.()
      request.onAbort(undefined)
      resolve(read)
    }
    request.onAbort(() => cancelWith('broken'))
  })
}
