import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { UpstreamResponse } from '@turnpike/core/ports'
import { send } from '@turnpike/testkit/suites/upstream-suite'
import { afterEach, describe, expect, it } from 'vitest'
import { realClock } from '../../test/real-clock.ts'
import { makeHttp2Upstream } from './http2-upstream.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const data = 0
const headers = 1
const settings = 4
const endStream = 1
const endHeaders = 4
/** Header blocks (RFC 7541): `:status: 200` is in the static table, 103 is a literal. */
const status200 = Buffer.from([0x88])
const status103 = Buffer.from([0x08, 0x03, 0x31, 0x30, 0x33])

function frame(type: number, flags: number, stream: number, payload: Uint8Array = new Uint8Array()): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head[3] = type
  head[4] = flags
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

/** A link to a server that writes these frames in response to the first request. */
async function linkTo(frames: readonly Buffer[]) {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    socket.write(frame(settings, 0, 0))
    // The client sends its preface and settings first, then the request.
    let received = 0
    socket.on('data', (chunk) => {
      const before = received
      received += chunk.length
      if (before < 100 && received >= 100) socket.write(Buffer.concat(frames))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const upstream = makeHttp2Upstream({ clock: realClock })
  closing.push(async () => {
    await upstream.close()
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return upstream.connect(`h2c://127.0.0.1:${(server.address() as AddressInfo).port}`, { insecure: false })
}

const longPath = `/${'x'.repeat(100)}`

describe('frames of an HTTP/2 upstream', () => {
  it('with one byte each are joined before other code sees them', async () => {
    const count = 2000
    const bytes = Array.from({ length: count }, (_, i) => frame(data, 0, 1, Buffer.from([97 + (i % 26)])))
    const link = await linkTo([frame(headers, endHeaders, 1, status200), ...bytes, frame(data, endStream, 1)])
    const { body } = (await send(link, { path: longPath })) as UpstreamResponse
    if (body === undefined || body instanceof Uint8Array) throw new Error('expected a stream')
    const chunks: Uint8Array[] = []
    await new Promise<void>((resolve, reject) => {
      body.pipe({ data: (chunk) => chunks.push(chunk) > 0, end: () => resolve(), fail: reject })
    })
    expect(Buffer.concat(chunks).toString()).toBe(
      Array.from({ length: count }, (_, i) => String.fromCharCode(97 + (i % 26))).join(''),
    )
    expect(chunks.length).toBeLessThan(20)
  })

  it('with endless informational responses fail the request', async () => {
    const informational = Array.from({ length: 40 }, () => frame(headers, endHeaders, 1, status103))
    const link = await linkTo(informational)
    expect(await send(link, { path: longPath })).toMatchObject({
      kind: 'error',
      reason: 'broken',
      cause: expect.objectContaining({ message: 'the upstream sent over 32 informational responses' }),
    })
  })
})
