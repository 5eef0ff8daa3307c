/**
 * Tells HTTP/2 by prior knowledge (RFC 9113, 3.3) from HTTP/1.1 on one port, by the first bytes of a connection: the
 * preface begins with `PRI`, which no method of HTTP/1.1 does.
 */
import type { Socket } from 'node:net'

const mark = Buffer.from('PRI')

/**
 * Calls `decided` once enough has come to know; the bytes are put back before. A connection that says nothing, or ends,
 * within `waitMs` is closed without a call.
 */
export function sniffPreface(socket: Socket, waitMs: number, decided: (isHttp2: boolean) => void): void {
  let held: Buffer = Buffer.alloc(0)
  const fail = () => socket.destroy()
  const look = () => {
    const chunk = socket.read() as Buffer | null
    if (chunk === null) return
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    const mayBe = held.subarray(0, mark.length).equals(mark.subarray(0, held.length))
    if (held.length < mark.length && mayBe) return
    for (const [event, listener] of listeners) socket.off(event, listener)
    socket.setTimeout(0)
    socket.unshift(held)
    decided(mayBe)
  }
  const listeners = [
    ['readable', look],
    ['timeout', fail],
    ['end', fail],
    ['error', fail],
  ] as const
  for (const [event, listener] of listeners) socket.on(event, listener)
  socket.setTimeout(waitMs)
}
