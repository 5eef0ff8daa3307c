/**
 * Requests whose target has bytes above 0x7f, as curl sends `/café`. Node's parser rejects them (RFC 3986 allows ASCII
 * only), so the front end escapes the bytes and gives the connection to the parser again, as a stream of its own. The
 * rejected parser reports everything that the client sends afterwards as further errors; the stream receives it from there.
 */
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { escapeRawBytes } from '../front-end-common/request-target.ts'
import type { ParserError } from './raw-error-response.ts'

const originals = new WeakMap<object, Socket>()
const replays = new WeakMap<Socket, ReplayedConnection>()

/** The socket of a connection, also if the parser was given a stream in its place. */
export function originalSocket(socket: Socket): Socket {
  return originals.get(socket) ?? socket
}

/** The bytes that follow an error on a connection that was replayed; false if it was not. */
export function continueReplay(socket: Socket, { rawPacket }: ParserError): boolean {
  const replay = replays.get(socket)
  if (replay === undefined) return false
  if (rawPacket !== undefined) replay.push(rawPacket)
  return true
}

/** Returns the stream that continues the connection with an escaped target; `undefined` if the error is another one. */
export function replayWithEscapedTarget(socket: Socket, error: ParserError): Duplex | undefined {
  const bytes = error.code === 'HPE_INVALID_URL' && !originals.has(socket) ? withEscapedTarget(error) : undefined
  if (bytes === undefined) return undefined
  const replay = new ReplayedConnection(socket)
  originals.set(replay, socket)
  replays.set(socket, replay)
  replay.push(bytes)
  return replay
}

/**
 * The last bytes with an escaped target, if a request begins with them and its first line is complete. The connection
 * closes after this request.
 */
function withEscapedTarget({ rawPacket }: ParserError): Buffer | undefined {
  const text = rawPacket?.toString('latin1') ?? ''
  const [line, method, target] = /^([A-Z]+) (\S*[\x80-\xff]\S*) HTTP\/1\.1\r\n/.exec(text) ?? []
  if (line === undefined || method === undefined || target === undefined) return undefined
  const rest = text.slice(line.length)
  return Buffer.from(`${method} ${escapeRawBytes(target)} HTTP/1.1\r\nConnection: close\r\n${rest}`, 'latin1')
}

class ReplayedConnection extends Duplex {
  private readonly socket: Socket

  constructor(socket: Socket) {
    super({ allowHalfOpen: true })
    this.socket = socket
    socket.once('end', () => this.push(null))
    socket.once('close', () => this.destroy())
  }

  override _read(): void {}

  override _write(chunk: Uint8Array, _encoding: string, done: (error?: Error | null) => void): void {
    this.socket.write(chunk, done)
  }

  override _final(done: () => void): void {
    this.socket.end(done)
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.socket.destroy()
    done(error)
  }
}
