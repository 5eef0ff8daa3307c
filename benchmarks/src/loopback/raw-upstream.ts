/** A TCP server that writes what no HTTP server sends: malformed, endless or finely divided responses. */
import type { Socket } from 'node:net'
import { startTcpServer } from '../subjects/tcp-server.ts'

const maxKeptBytes = 1024 * 1024

export interface RawUpstream {
  readonly url: string
  stop(): Promise<void>
}

/** Calls `respond` once per HTTP/1.1 request without a body. */
export function startRawUpstream(respond: (socket: Socket) => void | Promise<void>): Promise<RawUpstream> {
  return listen('http', (socket) => {
    let received = ''
    socket.on('data', (chunk) => {
      received = (received + chunk.toString('latin1')).slice(-maxKeptBytes)
      if (!received.includes('\r\n\r\n')) return
      received = ''
      void respond(socket)
    })
  })
}

const prefaceBytes = 24
const frameHeadBytes = 9
const headersType = 1
const settingsType = 4

/** Calls `respond` with the stream of each HTTP/2 request. Flow control is up to `respond`. */
export function startRawHttp2Upstream(respond: (socket: Socket, stream: number) => void): Promise<RawUpstream> {
  return listen('h2c', (socket) => {
    socket.write(http2Frame(settingsType, 0, 0))
    let received = Buffer.alloc(0)
    let skip = prefaceBytes
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk])
      while (received.length >= skip + frameHeadBytes) {
        const length = received.readUIntBE(skip, 3)
        const type = received[skip + 3]
        const stream = received.readUInt32BE(skip + 5)
        if (received.length < skip + frameHeadBytes + length) return
        received = received.subarray(skip + frameHeadBytes + length)
        skip = 0
        if (type === headersType) respond(socket, stream)
      }
    })
  })
}

/** A frame of HTTP/2 (RFC 9113 section 4.1). */
export function http2Frame(
  type: number,
  flags: number,
  stream: number,
  payload: Uint8Array = new Uint8Array(),
): Buffer {
  const frame = Buffer.alloc(frameHeadBytes + payload.length)
  frame.writeUIntBE(payload.length, 0, 3)
  frame[3] = type
  frame[4] = flags
  frame.writeUInt32BE(stream, 5)
  frame.set(payload, frameHeadBytes)
  return frame
}

async function listen(scheme: string, onConnection: (socket: Socket) => void): Promise<RawUpstream> {
  const { port, stop } = await startTcpServer(onConnection)
  return { url: `${scheme}://127.0.0.1:${port}`, stop }
}
