/**
 * An upstream whose responses wait for the milliseconds in the path: /10 responds after 10 ms, /0 at once. Argument: TCP
 * port. Timers of Node are up to a millisecond early or late, so the last two milliseconds are polled.
 */
import { createServer } from 'node:http'

const body = '{"ok":true}'
const head = { 'content-type': 'application/json', 'content-length': String(body.length) }
const polledMs = 2

const server = createServer((request, response) => {
  const delayMs = Number(/\d+/.exec(request.url ?? '')?.[0] ?? 0)
  const due = performance.now() + delayMs
  const answerWhenDue = () => {
    if (delayMs === 0 || performance.now() >= due) response.writeHead(200, head).end(body)
    else setImmediate(answerWhenDue)
  }
  if (delayMs > polledMs) setTimeout(answerWhenDue, delayMs - polledMs)
  else answerWhenDue()
})
server.keepAliveTimeout = 60_000
server.listen(Number(process.argv[2]), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))
