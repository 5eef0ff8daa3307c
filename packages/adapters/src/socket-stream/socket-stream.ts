/**
 * A raw socket as the byte streams of core, for connections whose protocol was changed: once on the client's side of
 * the gateway, once on the upstream's.
 */
import type { Socket } from 'node:net'
import type { ByteSink, ByteStream, Tunnel } from '@turnpike/core'

/** How long one direction may go on after the other has ended, in ms. */
const halfOpenMs = 30_000
/** Dead peers are found by the system's own probes, the first after so many ms of silence. */
const probeAfterMs = 30_000

/** What a socket sends, from now on; `first` are bytes of it that were read already. */
export function streamOfSocket(socket: Socket, first?: Uint8Array): ByteStream {
  let sink: ByteSink | undefined
  let over = false
  const settle = (tell: (sink: ByteSink) => void) => {
    if (over) return
    over = true
    if (sink !== undefined) tell(sink)
  }
  const give = (chunk: Uint8Array) => {
    if (!over && sink !== undefined && !sink.data(chunk)) socket.pause()
  }
  return {
    pipe(to) {
      sink = to
      // Put back, so that it obeys `pause` as all other bytes do.
      if (first !== undefined && first.length > 0) socket.unshift(first)
      socket.on('data', give)
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

/** Lets a stream flow into a socket. Its end ends the socket's side of the connection, its failure all of it. */
export function flowIntoSocket(stream: ByteStream, socket: Socket): void {
  let held = false
  socket.on('drain', () => {
    if (!held) return
    held = false
    stream.resume()
  })
  socket.once('close', () => stream.cancel())
  stream.pipe({
    data(chunk) {
      if (socket.write(chunk)) return true
      held = true
      return false
    },
    end() {
      socket.end()
      // The other direction may have something to say still, but not for ever.
      const timer = setTimeout(() => socket.destroy(), halfOpenMs)
      timer.unref()
      socket.once('close', () => clearTimeout(timer))
    },
    fail: () => void socket.destroy(),
  })
}

/** Readies a socket for a tunnel: no time-outs of HTTP, no errors that nobody hears, nothing held back. */
export function prepareTunnelSocket(socket: Socket): void {
  socket.setTimeout(0)
  socket.setNoDelay(true)
  socket.setKeepAlive(true, probeAfterMs)
  // `close` follows, and is what counts.
  socket.on('error', () => {})
}

/** The tunnel to whoever is at the other end of a socket. */
export function tunnelOfSocket(socket: Socket): Tunnel {
  prepareTunnelSocket(socket)
  return {
    incoming: streamOfSocket(socket),
    sendFrom: (outgoing) => flowIntoSocket(outgoing, socket),
  }
}
