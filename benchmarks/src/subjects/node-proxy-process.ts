/**
 * A minimal Node proxy as a reference: node:http in front, an undici pool towards the upstream, streamed bodies.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Pool } from 'undici'

const [port, upstream = ''] = process.argv.slice(2)
const pool = new Pool(upstream, { connections: 64 })
const hopByHop = new Set(['connection', 'keep-alive', 'transfer-encoding'])

async function proxy(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !hopByHop.has(name)))
  const hasBody = request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined
  const answer = await pool.request({
    method: request.method ?? 'GET',
    path: request.url ?? '/',
    headers,
    body: hasBody ? request : null,
  })
  const passed = Object.entries(answer.headers).filter(([name]) => !hopByHop.has(name))
  response.writeHead(answer.statusCode, Object.fromEntries(passed))
  answer.body.pipe(response)
}

const server = createServer((request, response) => {
  proxy(request, response).catch(() => {
    if (!response.headersSent) response.writeHead(502)
    response.end()
  })
})
server.keepAliveTimeout = 60_000
server.listen(Number(port), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))
