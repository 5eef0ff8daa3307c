/**
 * Compares the front end `http1` with the one on node:http, whose parser is llhttp: both get the same bytes, each in pieces
 * of their own. `http1` may reject more; it must never serve more requests, or other ones.
 */
import { connect } from 'node:net'
import { makeHttp1FrontEnd } from '@turnpike/adapters/front-end-http1'
import { makeNodeFrontEnd } from '@turnpike/adapters/front-end-node'
import { collect, type GatewayRequest, type GatewayResponse } from '@turnpike/core/http'
import type { FrontEnd } from '@turnpike/core/ports'
import { FuzzFinding, type FuzzTarget } from './fuzz-target.ts'
import { makeRandom, type Random } from './generate.ts'
import { wireRequest } from './wire-request.ts'

/** Milliseconds after which a connection counts as stuck. */
const stuckMs = 5_000

interface Seen {
  readonly method: string
  readonly target: string
  readonly headers: readonly string[]
  readonly version: string | undefined
  /** `undefined`: the body never ended, or failed. */
  body: string | undefined
}

interface RecordingServer {
  /** Sends the pieces on a new connection and returns the requests that were served. */
  send(pieces: readonly Buffer[]): Promise<readonly Seen[]>
  close(): Promise<void>
}

export const frontEndDifference: FuzzTarget = {
  name: 'http1-against-node',
  weight: 5,
  keepsState: false,
  async open() {
    const http1 = await startRecording(makeHttp1FrontEnd({ bodyStallMs: 2_000 }))
    const node = await startRecording(makeNodeFrontEnd({ bodyStallMs: 2_000 }))
    return {
      async run(seed) {
        const random = makeRandom(seed)
        const input = wireRequest(random, ['/a/', '/b/'])
        const bytes = Buffer.from(input, 'latin1')
        const [ours, theirs] = await Promise.all([
          http1.send(inPieces(random, bytes)),
          node.send(inPieces(random, bytes)),
        ])
        compare(ours, theirs, input)
      },
      async close() {
        await Promise.all([http1.close(), node.close()])
      },
    }
  },
}

/** Returns the bytes in up to four pieces, or now and then byte by byte. */
function inPieces(random: Random, bytes: Buffer): Buffer[] {
  if (random(50) === 0 && bytes.length < 500) return Array.from(bytes, (byte) => Buffer.of(byte))
  const cuts = Array.from({ length: random(4) }, () => random(bytes.length + 1)).toSorted((a, b) => a - b)
  return [0, ...cuts].map((from, i) => bytes.subarray(from, cuts[i] ?? bytes.length)).filter(({ length }) => length > 0)
}

function compare(ours: readonly Seen[], theirs: readonly Seen[], input: string): void {
  // Node drops what a client pipelines behind a request with Upgrade, even if it does not switch the protocol.
  const upgradeAt = ours.findIndex(({ headers }) => headers.includes('upgrade'))
  const comparable = upgradeAt < 0 ? ours : ours.slice(0, upgradeAt + 1)
  const complete = comparable.filter(({ body }) => body !== undefined)
  const other = complete.find((seen, i) => JSON.stringify(seen) !== JSON.stringify(theirs[i]))
  if (other === undefined || hadRawBytes(other.target, input)) return
  throw new FuzzFinding('http1 served what node did not', { input, other, theirs })
}

/** llhttp rejects targets with bytes above 0x7F. `http1` percent-encodes them, because clients such as curl send them. */
function hadRawBytes(target: string, input: string): boolean {
  return Array.from(target.matchAll(/%[89A-F][0-9A-F]/g)).some(([escaped]) => !input.includes(escaped))
}

async function startRecording(frontEnd: FrontEnd): Promise<RecordingServer> {
  let seen: Seen[] = []
  const handle = (request: GatewayRequest): GatewayResponse | Promise<GatewayResponse> => {
    const { method, path, query, headers } = request
    const entry: Seen = { method, target: `${path}?${query}`, headers, version: request.httpVersion, body: undefined }
    seen.push(entry)
    const response: GatewayResponse = { status: 200, headers: [], body: 'ok' }
    if (request.body === undefined) {
      entry.body = ''
      return response
    }
    return collect(request.body).then((bytes) => {
      entry.body = Buffer.from(bytes).toString('latin1')
      return response
    })
  }
  const listening = await frontEnd.listen(handle, { host: '127.0.0.1', port: 0 })
  return {
    async send(pieces) {
      seen = []
      await sendPieces(listening.port, pieces)
      return seen
    },
    close: () => listening.close(0),
  }
}

/** Resolves when the server has closed the connection. */
function sendPieces(port: number, pieces: readonly Buffer[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true })
    const timer = setTimeout(() => reject(new Error('the connection did not close')), stuckMs)
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(timer)
      resolve()
    })
    socket.on('end', () => socket.destroy())
    socket.resume()
    let next = 0
    const write = () => {
      const piece = pieces[next++]
      if (piece === undefined) socket.end()
      // The next iterations of the event loop send the next piece in a packet of its own.
      else socket.write(piece, () => setImmediate(() => setImmediate(write)))
    }
    socket.on('connect', write)
  })
}
