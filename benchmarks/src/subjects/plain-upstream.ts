/**
 * The upstream of every benchmark: a separate process with one small fixed response, 1 MiB at /large, and WebSockets that
 * get back what they send.
 */
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'

const body = '{"ok":true,"message":"a small answer"}'
const head = { 'content-type': 'application/json', 'content-length': String(body.length) }
const large = Buffer.alloc(1024 * 1024, 'x')
const largeHead = { 'content-type': 'application/octet-stream', 'content-length': String(large.length) }
/** RFC 6455, section 1.3. */
const webSocketId = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

const server = createServer((request, response) => {
  const respond = () => {
    const isLarge = request.url === '/large'
    response.writeHead(200, isLarge ? largeHead : head)
    response.end(isLarge ? large : body)
  }
  if (request.method === 'GET') return respond()
  // The server reads the whole body before it responds, as real servers do.
  request.resume()
  request.on('end', respond)
})
server.on('upgrade', (request, socket) => {
  const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}${webSocketId}`).digest('base64')
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  )
  socket.on('error', () => {})
  socket.pipe(socket)
})
server.keepAliveTimeout = 60_000
server.listen(Number(process.argv[2]), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))
