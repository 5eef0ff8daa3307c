/**
 * Detects HTTP/2 by prior knowledge (RFC 9113 section 3.3) on a port that also serves HTTP/1.1. The connection preface of
 * HTTP/2 begins with `PRI`, which no HTTP/1.1 method does.
 */
import type { Socket } from 'node:net'

const prefix = Buffer.from('PRI')

/**
 * Reads the first bytes of a connection, puts them back, and calls `detected`. A connection that does not send enough
 * bytes within `waitMs` milliseconds is closed without a call.
 */
export function detectHttp2(socket: Socket, waitMs: number, detected: (isHttp2: boolean) => void): void {
  let received: Buffer = Buffer.alloc(0)
  const fail = () => socket.destroy()
  const read = () => {
    const chunk = socket.read() as Buffer | null
    if (chunk === null) return
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    const matches = received.subarray(0, prefix.length).equals(prefix.subarray(0, received.length))
    if (received.length < prefix.length && matches) return
    for (const [event, listener] of listeners) socket.off(event, listener)
    socket.setTimeout(0)
    socket.unshift(received)
    detected(matches)
  }
  const listeners = [
    ['readable', read],
    ['timeout', fail],
    ['end', fail],
    ['error', fail],
  ] as const
  for (const [event, listener] of listeners) socket.on(event, listener)
  socket.setTimeout(waitMs)
}
