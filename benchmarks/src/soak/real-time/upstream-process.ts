/** The upstream of the soak in real time, as a process that can be killed: `node upstream-process.js PORT`. */
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

const block = Buffer.alloc(65_536, 'soak')

const server = createServer((request, response) => {
  request.on('error', () => {})
  response.on('error', () => {})
  request.resume()
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://upstream')
  if (pathname === '/slow') void sleep(300).then(() => response.end('slow'))
  else if (pathname === '/give') {
    const bytes = Number(searchParams.get('bytes'))
    response.writeHead(200, { 'content-length': bytes })
    let left = bytes
    const go = () => {
      while (left > 0 && !response.destroyed) {
        const part = left < block.length ? block.subarray(0, left) : block
        left -= part.length
        if (response.write(part)) continue
        response.once('drain', go)
        return
      }
      response.end()
    }
    go()
  } else response.end('{"ok":true}')
})
server.requestTimeout = 0
server.keepAliveTimeout = 60_000
server.listen({ host: '127.0.0.1', port: Number(process.argv[2]), backlog: 4096 }, () => process.send?.('listens'))
process.on('disconnect', () => process.exit(0))
