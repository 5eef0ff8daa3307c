/**
 * Removes `100 Continue` responses from the bytes of an upstream. A server may send them unrequested (RFC 9110 section
 * 15.2.1), some do before every response to a POST, and undici treats them as a malformed response.
 */
import type { Socket } from 'node:net'

const start = Buffer.from('HTTP/1.1 100')
const headEnd = Buffer.from('\r\n\r\n')
const maxHeadLength = 8192

/** Replaces `socket.read` with a version that drops these heads while `expectsHead` returns true. */
export function dropContinue(socket: Socket, expectsHead: () => boolean): void {
  const read = socket.read
  // The beginning of an incomplete head.
  let partial: Buffer | undefined
  socket.read = (size?: number): Buffer | null => {
    let chunk: Buffer | null = read.call(socket, size)
    if (chunk === null || (partial === undefined && !isContinue(chunk))) return chunk
    if (partial === undefined && !expectsHead()) return chunk
    if (partial !== undefined) chunk = Buffer.concat([partial, chunk])
    partial = undefined
    while (isContinue(chunk)) {
      const end = chunk.indexOf(headEnd)
      if (end < 0) {
        if (chunk.length > maxHeadLength) return chunk
        partial = chunk
        return null
      }
      chunk = chunk.subarray(end + headEnd.length)
    }
    return chunk.length === 0 ? null : chunk
  }
}

// Compares `HTTP/1.` and the status 100; the minor version can be 0 or 1.
function isContinue(chunk: Buffer): boolean {
  if (chunk.length < start.length || chunk[9] !== 0x31 || chunk[10] !== 0x30 || chunk[11] !== 0x30) return false
  return chunk.compare(start, 0, 7, 0, 7) === 0
}
