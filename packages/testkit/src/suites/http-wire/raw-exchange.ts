/** Bytes out, bytes in: a client that knows nothing of HTTP, so that it can say what no HTTP client would. */
import { connect, type Socket } from 'node:net'

export interface RawOutcome {
  /** Everything that came, one character a byte. */
  readonly text: string
  /** The other side ended or reset the connection before we gave up waiting. */
  readonly closed: boolean
}

export interface RawOptions {
  /** Milliseconds to wait for the other side's close: 250 by default, 5,000 when `until` says what to wait for. */
  readonly waitMs?: number
  /** Milliseconds to wait on once something came, since who answered may be slow to close; 0 by default. */
  readonly patienceMs?: number
  /** Stop as soon as this much has come. */
  readonly until?: (text: string) => boolean
  /** More bytes to send, each after so many milliseconds. */
  readonly later?: readonly { readonly afterMs: number; readonly bytes: string | Uint8Array }[]
  /** Half-close behind the first bytes. */
  readonly end?: boolean
}

/** Sends bytes to a port of this machine and gathers what comes back. Never rejects: a reset is an outcome too. */
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
    const patienceMs = options.patienceMs ?? 0
    const waitMs = options.waitMs ?? (options.until === undefined ? 250 : 5_000)
    let timer = setTimeout(() => {
      if (text === '' || patienceMs === 0) finish()
      else timer = setTimeout(finish, patienceMs)
    }, waitMs)
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      if (options.until?.(text)) finish()
    })
    const over = () => {
      closed = true
      finish()
    }
    socket.on('error', over)
    socket.on('end', over)
    send(socket, bytes)
    if (options.end) socket.end()
    for (const { afterMs, bytes: more } of options.later ?? []) setTimeout(() => send(socket, more), afterMs)
  })
}

function send(socket: Socket, bytes: string | Uint8Array): void {
  if (socket.writable) socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
}

/** Opens a connection that the test drives by hand; what comes is gathered in `received`. */
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
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  return { socket, received: () => text, closed }
}
