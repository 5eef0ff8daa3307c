/** The upstream of every benchmark: a separate process with one small fixed response. */
import { createServer } from 'node:http'

const body = '{"ok":true,"message":"a small answer"}'
const head = { 'content-type': 'application/json', 'content-length': String(body.length) }
const server = createServer((request, response) => {
  const answer = () => {
    response.writeHead(200, head)
    response.end(body)
  }
  if (request.method === 'GET') return answer()
  // The server reads the whole body before it responds, as real servers do.
  request.resume()
  request.on('end', answer)
})
server.keepAliveTimeout = 60_000
server.listen(Number(process.argv[2]), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))
