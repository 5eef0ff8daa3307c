/**
 * Clients on bare sockets. They keep no bytes, so that memory growth comes from the gateway. Of HTTP they only know where
 * a response's header section ends.
 */
import { connect, type Socket } from 'node:net'
import { slowPauseMs } from './soak-upstream.ts'

export interface Exchange {
  readonly status: number
  /** Number of body bytes received. */
  readonly received: number
  /** The last bytes of the body, as text. */
  readonly tail: string
  /** True if the body is complete according to its Content-Length. */
  readonly whole: boolean
}

const block = Buffer.alloc(65_536, 'soak')
const slowEvery = 2 ** 20
const waitMs = 120_000

/** Sends a request with a body of `sends` bytes and reads the response; `slowly` pauses after each MiB. */
export function exchange(port: number, path: string, { sends = 0, slowly = false } = {}): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    const socket = dial(port)
    const reader = new AnswerReader()
    const timer = setTimeout(
      () => finish(new Error(`no end of the answer to ${path} within ${waitMs / 1000} s`)),
      waitMs,
    )
    const finish = (error?: Error) => {
      clearTimeout(timer)
      socket.destroy()
      if (error !== undefined) reject(error)
      else resolve(reader)
    }
    let sincePause = 0
    socket.on('data', (chunk) => {
      reader.read(chunk)
      if (reader.whole) finish()
      sincePause += chunk.length
      if (!slowly || sincePause < slowEvery) return
      sincePause = 0
      socket.pause()
      setTimeout(() => socket.resume(), slowPauseMs)
    })
    socket.on('close', () => finish())
    socket.write(headOf(path, sends))
    pour(socket, sends)
  })
}

/** Disconnects after `afterBytes` of an upload that is twice as long, or `afterMs` after its request. */
export function goneClient(port: number, path: string, when: { afterBytes?: number; afterMs?: number }): Promise<void> {
  return new Promise((resolve) => {
    const socket = dial(port)
    socket.on('close', () => resolve())
    const { afterBytes = 0, afterMs = 0 } = when
    socket.resume()
    socket.write(headOf(path, afterBytes * 2))
    // The last bytes must be sent before the connection ends.
    pour(socket, afterBytes, () => setTimeout(() => leave(socket), afterMs))
  })
}

/** Sends a request and reads nothing. Resolves when the request is sent; `closed` settles when the gateway disconnects. */
export function stoppedReader(port: number, path: string): Promise<{ closed: Promise<void>; leave(): void }> {
  return new Promise((resolve) => {
    const socket = dial(port)
    // A paused socket is not notified of a close; a failing write reveals it.
    socket.pause()
    const closed = new Promise<void>((done) => socket.on('close', () => done()))
    socket.write(headOf(path, 0), () => resolve({ closed, leave: () => void socket.destroy() }))
  })
}

let leavers = 0

/** Alternates between FIN and RST, because the gateway detects them differently. */
function leave(socket: Socket): void {
  if (leavers++ % 2 === 0) socket.destroy()
  else socket.resetAndDestroy()
}

function dial(port: number): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.setNoDelay(true)
  // `close` follows, and the test waits for that.
  socket.on('error', () => {})
  return socket
}

function headOf(path: string, sends: number): string {
  const [method, length] = sends === 0 ? ['GET', ''] : ['POST', `Content-Length: ${sends}\r\n`]
  return `${method} ${path} HTTP/1.1\r\nHost: soak.test\r\n${length}\r\n`
}

/** Writes this many bytes, respecting back pressure. */
function pour(socket: Socket, bytes: number, done?: () => void): void {
  let left = bytes
  const go = () => {
    while (left > 0 && !socket.destroyed) {
      const part = left < block.length ? block.subarray(0, left) : block
      left -= part.length
      if (socket.write(part)) continue
      socket.once('drain', go)
      return
    }
    if (done !== undefined) socket.write('', done)
  }
  go()
}

class AnswerReader implements Exchange {
  status = 0
  received = 0
  tail = ''
  private head = ''
  private length: number | undefined = undefined

  get whole(): boolean {
    return this.length !== undefined && this.received >= this.length
  }

  read(chunk: Buffer): void {
    if (this.status !== 0) {
      this.took(chunk)
      return
    }
    this.head += chunk.toString('latin1')
    const end = this.head.indexOf('\r\n\r\n')
    if (end < 0) return
    const head = this.head.slice(0, end)
    const rest = Buffer.from(this.head.slice(end + 4), 'latin1')
    this.head = ''
    this.status = Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0)
    const length = /^content-length: *(\d+)/im.exec(head)?.[1]
    if (length !== undefined) this.length = Number(length)
    this.took(rest)
  }

  private took(bytes: Buffer): void {
    this.received += bytes.length
    this.tail = (this.tail + bytes.subarray(-32).toString('latin1')).slice(-32)
  }
}
