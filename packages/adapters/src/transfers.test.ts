/**
 * Long bodies through a front end and the client for upstreams, compared byte by byte: their memory is lent and reused
 * (`ByteSink.lend`), so a body that is read too late or too early would have the bytes of another one.
 */
import { createHash, randomBytes } from 'node:crypto'
import { Agent, createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FrontEnd, Handle, UpstreamLink } from '@turnpike/core/ports'
import { makeHttp1Upstream } from '@turnpike/upstream/http1'
import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from './clock-system/clock-system.ts'
import { makeHttp1FrontEnd } from './front-end-http1/front-end-http1.ts'
import { makeNodeFrontEnd } from './front-end-node/front-end-node.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** More than the kernel keeps for the two connections, so that slow readers stop the sender. */
const bodyBytes = 12_000_000
const bytes = randomBytes(bodyBytes + 3)
/** Different bytes for each of the transfers that run at the same time. */
const bodyOf = (transfer: number) => bytes.subarray(transfer, transfer + bodyBytes)
const hashOf = (body: Uint8Array) => createHash('sha256').update(body).digest('hex')

type Pace = 'fast' | 'slow'

/** Reads a body. A slow reader begins late and pauses. */
async function readBody(body: Readable, pace: Pace): Promise<string> {
  const hash = createHash('sha256')
  if (pace === 'slow') await sleep(80)
  let unpaused = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    hash.update(chunk)
    unpaused += chunk.length
    if (pace === 'fast' || unpaused < 1_000_000) continue
    unpaused = 0
    await sleep(2)
  }
  return hash.digest('hex')
}

/** A source whose pieces have irregular lengths. A slow one pauses. */
function sourceOf(body: Buffer, pace: Pace): Readable {
  return Readable.from(
    (async function* () {
      for (let at = 0, size = 1; at < body.length; at += size) {
        size = size === 1 ? 200_000 : ((size * 7) % 250_000) + 1
        yield body.subarray(at, at + size)
        if (pace === 'slow') await sleep(1)
      }
    })(),
  )
}

/** A server that sends the body of its path, or responds with the hash of the body that it received. */
async function startOrigin(pace: Pace, chunked: boolean): Promise<string> {
  const server = createServer(async (request, response) => {
    if (request.method === 'POST') {
      response.end(await readBody(request, pace))
      return
    }
    const transfer = Number(request.url?.slice(1))
    if (Number.isNaN(transfer)) {
      response.end('short')
      return
    }
    if (!chunked) response.setHeader('content-length', bodyBytes)
    await pipeline(sourceOf(bodyOf(transfer), pace), response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function forwardTo(link: UpstreamLink): Handle {
  return async ({ method, path, body, bodyLength }) => {
    const result = await link.send({
      method,
      path,
      headers: ['host', 'origin'],
      body,
      bodyLength,
      timeoutMs: 10_000,
      unpack: false,
    })
    if (result.kind === 'error') return { status: 502, headers: [], body: String(result.cause) }
    return { status: result.status, headers: [], body: result.body, bodyLength: result.bodyLength }
  }
}

async function startGateway(frontEnd: FrontEnd, origin: string): Promise<number> {
  const upstream = makeHttp1Upstream({ clock: systemClock })
  const { port, close } = await frontEnd.listen(forwardTo(upstream.connect(origin, { insecure: false })), {
    host: '127.0.0.1',
    port: 0,
  })
  closers.push(async () => {
    await close(0)
    await upstream.close()
  })
  return port
}

interface Transfer {
  readonly method: string
  readonly path: string
  readonly agent: Agent
  readonly port: number
  readonly headers?: Record<string, string | number>
  readonly body?: Readable
}

async function send({ body, ...options }: Transfer): Promise<IncomingMessage> {
  const request = httpRequest(options)
  const responded = new Promise<IncomingMessage>((resolve, reject) => {
    request.on('response', resolve)
    request.on('error', reject)
  })
  if (body === undefined) request.end()
  else await pipeline(body, request)
  return responded
}

const makers: Readonly<Record<string, () => FrontEnd>> = { http1: makeHttp1FrontEnd, node: makeNodeFrontEnd }
const transfers = [0, 1]
const paces = [
  { sender: 'fast', receiver: 'fast' },
  { sender: 'fast', receiver: 'slow' },
  { sender: 'slow', receiver: 'fast' },
] as const
const cases = paces.flatMap((pace) => [true, false].map((chunked) => ({ ...pace, chunked })))

describe.each(Object.keys(makers))('front end %s', (name) => {
  const make = makers[name] as () => FrontEnd

  it.each(cases)(
    'downloads: $sender origin, $receiver client, chunked $chunked',
    async ({ sender, receiver, chunked }) => {
      const port = await startGateway(make(), await startOrigin(sender, chunked))
      const agent = new Agent({ keepAlive: true, maxSockets: transfers.length })
      closers.push(() => agent.destroy())
      const download = async (transfer: number) => {
        const response = await send({ method: 'GET', path: `/${transfer}`, agent, port })
        return readBody(response, receiver)
      }
      expect(await Promise.all(transfers.map(download))).toEqual(transfers.map((one) => hashOf(bodyOf(one))))
      const after = await send({ method: 'GET', path: '/short', agent, port })
      expect([after.statusCode, await readBody(after, 'fast')]).toEqual([200, hashOf(Buffer.from('short'))])
    },
  )

  it.each(cases)(
    'uploads: $sender client, $receiver origin, chunked $chunked',
    async ({ sender, receiver, chunked }) => {
      const port = await startGateway(make(), await startOrigin(receiver, false))
      const agent = new Agent({ keepAlive: true, maxSockets: transfers.length })
      closers.push(() => agent.destroy())
      const headers = chunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': bodyBytes }
      const upload = async (transfer: number) => {
        const body = sourceOf(bodyOf(transfer), sender)
        const response = await send({ method: 'POST', path: '/', agent, port, headers, body })
        const text = await response.toArray()
        return Buffer.concat(text).toString()
      }
      expect(await Promise.all(transfers.map(upload))).toEqual(transfers.map((one) => hashOf(bodyOf(one))))
      const after = await send({ method: 'GET', path: '/short', agent, port })
      expect([after.statusCode, await readBody(after, 'fast')]).toEqual([200, hashOf(Buffer.from('short'))])
    },
  )
})
