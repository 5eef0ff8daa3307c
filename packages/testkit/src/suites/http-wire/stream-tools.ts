/** Shared by the tests of streams: the byte pattern as text and on a socket, and a reader that pauses. */

import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ByteStream } from '@turnpike/core/http'

import { patternByte } from './pattern-stream.ts'

export const megabyte = 1 << 20
/** A generous upper bound of the bytes in the kernel buffers of both ends and in one chunk of each layer. */
export const maxBufferedBytes = 24 * megabyte

/** Returns the byte pattern as text, one character per byte. */
export function pattern(length: number): string {
  const bytes = Buffer.alloc(length)
  for (let i = 0; i < length; i++) bytes[i] = patternByte(i)
  return bytes.toString('latin1')
}

/** Encodes a body in the chunked transfer coding. */
export function inChunks(body: string, size: number): string {
  const parts: string[] = []
  for (let at = 0; at < body.length; at += size) {
    const part = body.slice(at, at + size)
    parts.push(`${part.length.toString(16)}\r\n${part}\r\n`)
  }
  return `${parts.join('')}0\r\n\r\n`
}

/** Hashes a long text, so that a failed comparison prints a short message. */
export function digest(text: string): string {
  return createHash('sha256').update(text, 'latin1').digest('hex')
}

/** Sends the pattern as fast as the socket accepts it. `handedOver` returns the bytes written to the socket so far. */
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

/** Reads a body to its end. With `pauseEvery`, it pauses for 1 ms after each so many bytes. */
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

/** Waits until the count has not changed for 120 ms. */
export async function untilStable(count: () => number): Promise<void> {
  let last = -1
  while (count() !== last || last === 0) {
    last = count()
    await sleep(120)
  }
}
