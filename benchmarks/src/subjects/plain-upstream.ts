/** The upstream of every benchmark: a process of its own with one small fixed answer, the same for all contestants. */
import { createServer } from 'node:http'

const body = '{"ok":true,"message":"a small answer"}'
const head = { 'content-type': 'application/json', 'content-length': String(body.length) }
const server = createServer((_request, response) => {
  response.writeHead(200, head)
  response.end(body)
})
server.keepAliveTimeout = 60_000
server.listen(Number(process.argv[2]), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))
