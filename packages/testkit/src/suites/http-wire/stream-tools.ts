/** What the tests of streams share: the pattern as text and on a socket, and a reader that pauses. */
import { createHash } from 'node:crypto'
import type { ByteStream } from '@turnpike/core'
import { pause } from './front-end-under-test.ts'
import { patternByte } from './pattern-stream.ts'

export const megabyte = 1 << 20
/** What kernel buffers of both ends and one chunk of each layer may hold together, with much room. */
export const bufferedAtMost = 24 * megabyte

/** The pattern as text, one character a byte. */
export function pattern(length: number): string {
  const bytes = Buffer.alloc(length)
  for (let i = 0; i < length; i++) bytes[i] = patternByte(i)
  return bytes.toString('latin1')
}

/** A body in the chunked coding. */
export function inChunks(body: string, size: number): string {
  const parts: string[] = []
  for (let at = 0; at < body.length; at += size) {
    const part = body.slice(at, at + size)
    parts.push(`${part.length.toString(16)}\r\n${part}\r\n`)
  }
  return `${parts.join('')}0\r\n\r\n`
}

/** Names a long text, so that a difference does not fill the screen. */
export function digest(text: string): string {
  return createHash('sha256').update(text, 'latin1').digest('hex')
}

/** Sends the pattern as fast as the socket takes it; `handedOver` counts what left for the kernel or waits in the socket. */
export function sendPattern(socket: NodeJS.WritableStream, total: number): { handedOver(): number } {
  let sent = 0
  const push = () => {
    while (sent < total) {
      const chunk = Buffer.alloc(Math.min(65_536, total - sent))
      for (let i = 0; i < chunk.length; i++) chunk[i] = patternByte(sent + i)
      sent += chunk.length
      if (!socket.write(chunk)) {
        socket.once('drain', push)
        return
      }
    }
  }
  push()
  return { handedOver: () => sent }
}

/** Reads a body to its end; with `pauseEvery`, pausing for a turn each time so many bytes came. */
export function drain(
  stream: ByteStream,
  pauseEvery = Number.POSITIVE_INFINITY,
): { bytes: number; ended: boolean; wrongAt: number } {
  const read = { bytes: 0, ended: false, wrongAt: -1 }
  let next = pauseEvery
  stream.pipe({
    data(chunk) {
      if (read.wrongAt < 0 && chunk[0] !== patternByte(read.bytes)) read.wrongAt = read.bytes
      read.bytes += chunk.length
      if (read.bytes < next) return true
      next = read.bytes + pauseEvery
      setTimeout(() => stream.resume(), 1)
      return false
    },
    end() {
      read.ended = true
    },
    fail() {},
  })
  return read
}

/** Waits until a number stops growing. */
export async function quiet(count: () => number): Promise<void> {
  let last = -1
  while (count() !== last || last === 0) {
    last = count()
    await pause(120)
  }
}
