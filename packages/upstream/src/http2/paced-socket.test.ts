import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { PacedSocket } from './paced-socket.ts'

const closing: (() => unknown)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** Both ends of a connection. The clock advances by `sliceMs` while a slice is read. */
async function makePair(sliceMs: number) {
  const server = createServer({ allowHalfOpen: true })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve))
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const far = await accepted
  far.on('error', () => {})
  let now = 0
  const paced = new PacedSocket(socket, () => {
    now += sliceMs / 2
    return now
  })
  closing.push(() => {
    paced.destroy()
    far.destroy()
    server.close()
  })
  return { paced, far }
}

/** Reads to the end. Returns the text and the number of slices in each turn of the event loop. */
async function readAll(paced: PacedSocket) {
  const turns: number[] = []
  const chunks: Buffer[] = []
  let slices = 0
  paced.on('data', (chunk: Buffer) => {
    if (slices++ === 0) {
      setImmediate(() => {
        turns.push(slices)
        slices = 0
      })
    }
    chunks.push(chunk)
  })
  await new Promise<void>((resolve, reject) => {
    paced.on('end', resolve)
    paced.on('error', reject)
  })
  return { bytes: Buffer.concat(chunks), turns }
}

const numbers = Buffer.from(Array.from({ length: 300_000 }, (_, i) => i % 251))

describe('a paced socket', () => {
  it('passes on all bytes in order', async () => {
    const { paced, far } = await makePair(0)
    far.end(numbers)
    expect((await readAll(paced)).bytes.equals(numbers)).toBe(true)
  })

  it('gives other work a turn after a slice that took long', async () => {
    const { paced, far } = await makePair(20)
    far.end(numbers)
    const { bytes, turns } = await readAll(paced)
    expect(bytes.equals(numbers)).toBe(true)
    // One slice when the bytes arrive, one in the immediate that follows in the same iteration of the event loop.
    expect(Math.max(...turns)).toBeLessThanOrEqual(2)
  })

  it('passes on the bytes before a reset, then fails', async () => {
    const { paced, far } = await makePair(20)
    far.write(numbers.subarray(0, 1000))
    const first = new Promise((resolve) => paced.once('data', resolve))
    expect(await first).toEqual(numbers.subarray(0, 1000))
    far.resetAndDestroy()
    await expect(readAll(paced)).rejects.toMatchObject({ code: 'ECONNRESET' })
  })

  it('passes on no more than its reader wants', async () => {
    const { paced, far } = await makePair(0)
    far.write(Buffer.alloc(2_000_000))
    let received = 0
    paced.on('data', (chunk: Buffer) => {
      received += chunk.length
      paced.pause()
    })
    await expect.poll(() => received).toBeGreaterThan(0)
    for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve))
    expect(received + paced.readableLength).toBeLessThan(200_000)
  })

  it('writes, and ends the connection', async () => {
    const { paced, far } = await makePair(0)
    const received: Buffer[] = []
    far.on('data', (chunk) => received.push(chunk))
    const ended = new Promise((resolve) => far.once('end', resolve))
    paced.cork()
    paced.write('ab')
    paced.write('cd')
    paced.uncork()
    paced.end('ef')
    await ended
    expect(Buffer.concat(received).toString()).toBe('abcdef')
  })
})
