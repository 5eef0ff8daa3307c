/**
 * Takes `100 Continue` out of what an upstream sends. It may come without having been asked for (RFC 9110, 15.2.1),
 * some servers send it before every answer to a POST, and undici takes it for a broken answer.
 */
import type { Socket } from 'node:net'

const start = Buffer.from('HTTP/1.1 100')
const headEnd = Buffer.from('\r\n\r\n')
const longestHead = 8192

/** Makes the socket's `read` leave such heads out while `expectsHead` says that an answer has not begun yet. */
export function swallowContinue(socket: Socket, expectsHead: () => boolean): void {
  const read = socket.read
  // A head whose end is still to come.
  let held: Buffer | undefined
  socket.read = (size?: number): Buffer | null => {
    let chunk: Buffer | null = read.call(socket, size)
    if (chunk === null || (held === undefined && !isContinue(chunk))) return chunk
    if (held === undefined && !expectsHead()) return chunk
    if (held !== undefined) chunk = Buffer.concat([held, chunk])
    held = undefined
    while (isContinue(chunk)) {
      const end = chunk.indexOf(headEnd)
      if (end < 0) {
        if (chunk.length > longestHead) return chunk
        held = chunk
        return null
      }
      chunk = chunk.subarray(end + headEnd.length)
    }
    return chunk.length === 0 ? null : chunk
  }
}

// The byte after `HTTP/1.` may be either version; the eleventh and twelfth tell 100 from 102 and 103.
function isContinue(chunk: Buffer): boolean {
  if (chunk.length < start.length || chunk[9] !== 0x31 || chunk[10] !== 0x30 || chunk[11] !== 0x30) return false
  return chunk.compare(start, 0, 7, 0, 7) === 0
}
