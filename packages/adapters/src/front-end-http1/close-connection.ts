/** Closes connections so that their clients get what was written to them. */
import type { Socket } from 'node:net'

/** Milliseconds that bytes are read and dropped after the last response. Closing earlier resets the connection and can lose it. */
const lingerMs = 2_000
/**
 * Milliseconds without bytes of a response after which a client that has ended its half of the connection counts as
 * disconnected. Most such clients have.
 */
const halfCloseMs = 1_000

/** Ends the connection after the written bytes, and closes it if the client does not. */
export function endAndLinger(socket: Socket): void {
  socket.end(() => {
    const timer = setTimeout(() => socket.destroy(), lingerMs)
    timer.unref()
    socket.once('close', () => clearTimeout(timer))
  })
}

/**
 * Closes the connection of a client that ended its half, once no bytes have been written to it for a while. `isClosed`: the
 * connection no longer waits for a response.
 */
export function closeWhenSilent(socket: Socket, isClosed: () => boolean): void {
  const written = socket.bytesWritten
  const timer = setTimeout(() => {
    if (isClosed()) return
    if (socket.bytesWritten === written && socket.writableLength === 0) socket.destroy()
    else closeWhenSilent(socket, isClosed)
  }, halfCloseMs)
  timer.unref()
}
