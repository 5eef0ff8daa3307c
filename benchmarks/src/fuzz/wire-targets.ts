/** Targets behind sockets: raw bytes to all front ends, and an upstream that responds with raw bytes. */

import type { Socket } from 'node:net'
import { rawExchange } from '@turnpike/testkit/suites/http-wire/raw-exchange'
import { hasResponse, readResponses } from '@turnpike/testkit/suites/http-wire/wire-responses'
import { hostileResponse } from '@turnpike/upstream/http1/fuzz'
import { createGateway } from 'turnpike'
import { definition } from '../subjects/definition.ts'
import { startTcpServer } from '../subjects/tcp-server.ts'
import { frontEndDifference } from './front-end-difference.ts'
import { FuzzFinding, type FuzzTarget } from './fuzz-target.ts'
import { makeRandom } from './generate.ts'
import { listenPaths, startWireGateway } from './wire-gateway.ts'
import { wireRequest } from './wire-request.ts'

/** Milliseconds after which a valid request counts as lost. `main.ts` reports cases over one second. */
const lostMs = 5_000
/** Milliseconds to wait for a response to a message that may be incomplete. */
const incompleteMs = 12

/** Statuses of a gateway whose upstream always responds with 200. A 500 or 502 is a defect. */
const allowedStatuses: ReadonlySet<number> = new Set([
  100, 101, 200, 204, 301, 400, 401, 403, 404, 405, 408, 413, 414, 415, 417, 422, 426, 429, 431, 501, 505,
])

/** Sends a valid request on a new connection. Returns its response, and whether that is the one that belongs to it. */
async function sendCanary(port: number, path: string, seed: number): Promise<{ text: string; isRight: boolean }> {
  const canary = `canary-${seed}`
  const bytes = `GET ${path}${canary} HTTP/1.1\r\nHost: a.test\r\n\r\n`
  const { text } = await rawExchange(port, bytes, { until: hasResponse, waitMs: lostMs })
  return { text, isRight: text.startsWith('HTTP/1.1 200 ') && text.endsWith(`/${canary}`) }
}

/** The next request must get the response that belongs to it. */
async function checkCanary(port: number, path: string, seed: number, input: string): Promise<void> {
  const { text, isRight } = await sendCanary(port, path, seed)
  if (!isRight) throw unexpected(text, input)
}

const unexpected = (text: string, input: string) =>
  new FuzzFinding(`the next request got ${JSON.stringify(text.slice(0, 300))} after`, input)

/**
 * Like `checkCanary`, on an upstream whose connections are reused. Bytes that it sends after a response can arrive when
 * the connection already carries the next request. That request then fails, and the connection is closed; its client
 * never gets other bytes than the gateway's error.
 */
async function checkCanaryAfterStrayBytes(port: number, path: string, seed: number, input: string): Promise<void> {
  const { text, isRight } = await sendCanary(port, path, seed)
  if (isRight) return
  if (!text.startsWith('HTTP/1.1 500 ') || !text.includes('There was a problem proxying the request')) {
    throw unexpected(text, input)
  }
  await checkCanary(port, path, seed, input)
}

function frontEnd(kind: 'http1' | 'node'): FuzzTarget {
  return {
    name: `front-end-${kind}`,
    weight: 5,
    keepsState: true,
    async open() {
      const gateway = await startWireGateway(kind)
      return {
        async run(seed) {
          const input = wireRequest(makeRandom(seed), listenPaths)
          const { text } = await rawExchange(gateway.port, Buffer.from(input, 'latin1'), {
            waitMs: incompleteMs,
            until: hasResponse,
          })
          for (const [, status] of text.matchAll(/(?:^|\n)HTTP\/1\.[01] (\d+) /g)) {
            // The transform rule of /checked rejects bodies that its template cannot read.
            if (status === '500' && text.includes('The body cannot be transformed')) continue
            if (!allowedStatuses.has(Number(status))) throw new FuzzFinding(`status ${status} for`, input)
          }
          if (text !== '' && !text.startsWith('HTTP/1.')) throw new FuzzFinding('not HTTP', { input, text })
          await checkCanary(gateway.port, '/open/', seed, input)
          gateway.checkUpstream(input)
        },
        close: () => gateway.close(),
      }
    },
  }
}

/** Responds to canaries with their name, to everything else with hostile bytes. */
function respondTo(socket: Socket, seedOf: () => number): void {
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
    if (!text.includes('\r\n\r\n')) return
    const canary = /^GET \S*\/(canary-\d+) /.exec(text)?.[1]
    text = ''
    if (canary !== undefined) {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${canary.length + 1}\r\n\r\n/${canary}`)
      return
    }
    const random = makeRandom(seedOf())
    const bytes = Buffer.from(hostileResponse(random), 'latin1')
    const cut = random(bytes.length + 1)
    socket.write(bytes.subarray(0, cut))
    if (random(2) === 0) socket.end(bytes.subarray(cut))
    else socket.write(bytes.subarray(cut))
  })
}

/** A hostile upstream on connections that are reused: its bytes never reach the response to another request. */
const hostileUpstream: FuzzTarget = {
  name: 'upstream',
  weight: 3,
  keepsState: true,
  async open() {
    let seed = 0
    const server = await startTcpServer((socket) => respondTo(socket, () => seed))
    const gateway = await createGateway({
      frontEnd: 'node',
      store: 'memory',
      log: 'silent',
      config: { secret: 'management-key-of-the-fuzzer' },
      definitions: () => [definition('hostile', `http://127.0.0.1:${server.port}/`)] as never,
    })
    const { port } = await gateway.listen(0, '127.0.0.1')
    return {
      async run(given) {
        seed = given
        const method = given % 8 === 0 ? 'HEAD' : 'GET'
        const bytes = `${method} /hostile/x HTTP/1.1\r\nHost: a.test\r\n\r\n`
        const until = (text: string) => hasResponse(text, method)
        const { text } = await rawExchange(port, bytes, { until, waitMs: incompleteMs })
        // The client gets a readable response, also after unreadable ones of the upstream.
        if (text !== '') readResponses(text, [method])
        await checkCanaryAfterStrayBytes(port, '/hostile/', given, hostileResponse(makeRandom(given)))
      },
      async close() {
        await gateway.close(0)
        await server.stop()
      },
    }
  },
}

export const wireTargets: readonly FuzzTarget[] = [
  frontEnd('http1'),
  frontEndDifference,
  frontEnd('node'),
  hostileUpstream,
]
