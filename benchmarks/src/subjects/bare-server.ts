/**
 * A server on node:net or node:tls that writes one fixed response for each request and calls no upstream: the least that
 * a server in Node can cost. Its requests have no body, or a body with Content-Length; chunked bodies end with their last
 * chunk; WebSockets get back what they send. Arguments: the port, and for TLS the files of the certificate and its key.
 */
import { readFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'

const [port, cert, key] = process.argv.slice(2)
const body = '{"ok":true,"message":"a small answer"}'
const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: '
const small = `${head}${body.length}\r\n\r\n${body}`
const large = Buffer.from(`${head}${1024 * 1024}\r\n\r\n${'x'.repeat(1024 * 1024)}`, 'latin1')

function serve(socket: Socket): void {
  let received = ''
  /** Bytes of a body that are still to come. */
  let left = 0
  socket.on('error', () => {})
  socket.setNoDelay()
  socket.on('data', (chunk) => {
    if (left >= chunk.length) {
      left -= chunk.length
      if (left === 0) socket.write(small)
      return
    }
    received += chunk.toString('latin1', left)
    if (left > 0) socket.write(small)
    left = 0
    for (let end = received.indexOf('\r\n\r\n'); end >= 0; end = received.indexOf('\r\n\r\n')) {
      const text = received.slice(0, end)
      if (/\r\nupgrade: websocket/i.test(text)) {
        socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n')
        socket.removeAllListeners('data')
        socket.pipe(socket)
        return
      }
      if (text.startsWith('GET /large')) socket.write(large)
      else if (/\r\ntransfer-encoding/i.test(text)) {
        const last = received.indexOf('0\r\n\r\n', end + 4)
        if (last < 0) return
        end = last + 1
        socket.write(small)
      } else {
        const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0)
        left = Math.max(0, length - (received.length - end - 4))
        if (left === 0) socket.write(small)
        end += length - left
      }
      received = received.slice(end + 4)
      if (received === '') return
    }
  })
}

const server =
  cert === undefined || key === undefined
    ? createServer(serve)
    : createTlsServer({ cert: readFileSync(cert), key: readFileSync(key) }, serve)
server.listen(Number(port), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))
