/**
 * Adapts a raw socket to the byte streams of `@turnpike/core`, for upgraded connections to clients and upstreams.
 */
import type { Socket } from 'node:net'
import type { ByteSink, ByteStream, Tunnel } from '@turnpike/core/http'

/** Milliseconds that one direction may stay open after the other has ended. */
const halfOpenMs = 30_000
/** Milliseconds of silence before the first TCP keep-alive probe, which detects dead peers. */
const keepAliveDelayMs = 30_000

/** Returns the bytes that arrive on a socket. `first` contains bytes that were read from the socket before. */
export function streamOfSocket(socket: Socket, first?: Uint8Array): ByteStream {
  let sink: ByteSink | undefined
  let over = false
  const settle = (notify: (sink: ByteSink) => void) => {
    if (over) return
    over = true
    if (sink !== undefined) notify(sink)
  }
  const forward = (chunk: Uint8Array) => {
    if (!over && sink !== undefined && !sink.data(chunk)) socket.pause()
  }
  return {
    pipe(to) {
      sink = to
      // `unshift` makes `pause` apply to these bytes too.
      if (first !== undefined && first.length > 0) socket.unshift(first)
      socket.on('data', forward)
      socket.once('end', () => settle((one) => one.end()))
      socket.once('close', () => settle((one) => one.fail(new Error('the connection was closed'))))
      socket.resume()
    },
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    cancel() {
      over = true
      socket.destroy()
    },
  }
}

/** Writes a stream to a socket. The end of the stream half-closes the socket, its failure destroys the socket. */
export function pipeToSocket(stream: ByteStream, socket: Socket): void {
  let blocked = false
  socket.on('drain', () => {
    if (!blocked) return
    blocked = false
    stream.resume()
  })
  socket.once('close', () => stream.cancel())
  stream.pipe({
    data(chunk) {
      if (socket.write(chunk)) return true
      blocked = true
      return false
    },
    end() {
      socket.end()
      // The peer may still send data, for a limited time.
      const timer = setTimeout(() => socket.destroy(), halfOpenMs)
      timer.unref()
      socket.once('close', () => clearTimeout(timer))
    },
    fail: () => void socket.destroy(),
  })
}

/** Configures a socket for a tunnel: no HTTP timeouts, no Nagle delay, TCP keep-alive. */
export function prepareTunnelSocket(socket: Socket): void {
  socket.setTimeout(0)
  socket.setNoDelay(true)
  socket.setKeepAlive(true, keepAliveDelayMs)
  // `close` follows and is handled. Without a listener the error would end the process.
  socket.on('error', () => {})
}

/** Returns a tunnel to the peer of a socket. */
export function tunnelOfSocket(socket: Socket): Tunnel {
  prepareTunnelSocket(socket)
  return {
    incoming: streamOfSocket(socket),
    sendFrom: (outgoing) => pipeToSocket(outgoing, socket),
  }
}
