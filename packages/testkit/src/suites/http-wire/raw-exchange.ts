/** A TCP client that sends raw bytes, so that tests can send messages that no HTTP client would send. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface RawOutcome {
  /** All received bytes, one character per byte. */
  readonly text: string
  /** Whether the server closed or reset the connection before the time was onClose. */
  readonly closed: boolean
}

export interface RawOptions {
  /** Milliseconds to wait for the server to close the connection. Default 250, or 5,000 with `until`. */
  readonly waitMs?: number
  /** Additional milliseconds to wait if bytes were received, for servers that close late. Default 0. */
  readonly graceMs?: number
  /** Stops as soon as the received text satisfies this condition. */
  readonly until?: (text: string) => boolean
  /** More bytes to send, each `afterMs` milliseconds after the first bytes. */
  readonly later?: readonly { readonly afterMs: number; readonly bytes: string | Uint8Array }[]
  /** Half-closes the connection after the first bytes. */
  readonly end?: boolean
  /** Sends each of the first bytes in a segment of its own. */
  readonly byteByByte?: boolean
}

/** Sends bytes to a local TCP port and collects the received bytes. Never rejects; a reset counts as `closed`. */
export function rawExchange(port: number, bytes: string | Uint8Array, options: RawOptions = {}): Promise<RawOutcome> {
  return new Promise((resolve) => {
    let text = ''
    let closed = false
    const socket = connect(port, '127.0.0.1')
    const finish = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ text, closed })
    }
    const graceMs = options.graceMs ?? 0
    const waitMs = options.waitMs ?? (options.until === undefined ? 250 : 5_000)
    let timer = setTimeout(() => {
      if (text === '' || graceMs === 0) finish()
      else timer = setTimeout(finish, graceMs)
    }, waitMs)
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      if (options.until?.(text)) finish()
    })
    const onClose = () => {
      closed = true
      finish()
    }
    socket.on('error', onClose)
    socket.on('end', onClose)
    if (options.byteByByte) sendByteByByte(socket, typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
    else send(socket, bytes)
    if (options.end) socket.end()
    for (const { afterMs, bytes: more } of options.later ?? []) setTimeout(() => send(socket, more), afterMs)
  })
}

function send(socket: Socket, bytes: string | Uint8Array): void {
  if (socket.writable) socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
}

/** A server in the same process reads between two turns of the event loop, so that it gets every byte alone. */
function sendByteByByte(socket: Socket, bytes: Uint8Array, at = 0): void {
  if (at === 0) socket.setNoDelay()
  if (at === bytes.length || !socket.writable) return
  socket.write(bytes.subarray(at, at + 1), () => setImmediate(sendByteByByte, socket, bytes, at + 1))
}

/** Opens a connection for the test to use. `received` returns all bytes so far, `closed` settles when the server closes it. */
export async function openRaw(
  port: number,
): Promise<{ socket: Socket; received: () => string; closed: Promise<void> }> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
  })
  const closed = new Promise<void>((resolve) => {
    socket.on('end', resolve)
    socket.on('error', () => resolve())
    socket.on('close', () => resolve())
  })
  await once(socket, 'connect')
  return { socket, received: () => text, closed }
}
