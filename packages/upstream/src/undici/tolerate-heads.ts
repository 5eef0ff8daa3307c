/**
 * Response heads that the standards permit and undici takes for malformed: `100 Continue` that no request asked for (RFC
 * 9110 section 15.2.1; some servers send it before every response to a POST), lines that end with a line feed alone (RFC
 * 9112 section 2.2), and Content-Length lines with the same value (RFC 9110 section 8.6).
 */
import type { Socket } from 'node:net'

const protocol = Buffer.from('HTTP/1.')
const maxHeadLength = 16_384
const bareLineFeed = /(?:^|[^\r])\n/
const lengthLine = /^content-length[\t ]*:(.*)$/i

export interface HeadReader {
  /** A request was sent and no byte of its response has arrived. */
  readonly expectsHead: boolean
  /** Bytes have arrived that undici does not see yet. */
  receivedBytes(): void
}

/** Replaces `socket.read` with a version that drops and rewrites such heads while the reader expects one. */
export function tolerateHeads(socket: Socket, reader: HeadReader): void {
  const read = socket.read
  // The beginning of an incomplete head.
  let partial: Buffer | undefined
  socket.read = (size?: number): Buffer | null => {
    const chunk: Buffer | null = read.call(socket, size)
    if (chunk === null || (partial === undefined && !reader.expectsHead)) return chunk
    let rest = partial === undefined ? chunk : Buffer.concat([partial, chunk])
    partial = undefined
    const heads: Buffer[] = []
    for (let isInterim = true; isInterim && mayBeHead(rest); ) {
      const end = endOfHead(rest)
      if (end < 0) {
        // Bytes of an interim response before it are passed on, and then no head is expected.
        if (rest.length > maxHeadLength || heads.length > 0) break
        partial = rest
        reader.receivedBytes()
        return null
      }
      const status = rest.toString('latin1', 9, 12)
      if (status !== '100') heads.push(rewritten(rest.subarray(0, end)))
      rest = rest.subarray(end)
      isInterim = status.startsWith('1') && status !== '101'
    }
    const bytes = heads.length === 0 ? rest : Buffer.concat([...heads, rest])
    return bytes.length === 0 ? null : bytes
  }
}

function mayBeHead(bytes: Buffer): boolean {
  const length = Math.min(bytes.length, protocol.length)
  return length > 0 && bytes.compare(protocol, 0, length, 0, length) === 0
}

/** The position after the empty line, or -1. */
function endOfHead(bytes: Buffer): number {
  const head = bytes.subarray(0, maxHeadLength)
  const ends = ['\n\r\n', '\n\n'].map((text) => {
    const at = head.indexOf(text, 0, 'latin1')
    return at < 0 ? Number.POSITIVE_INFINITY : at + text.length
  })
  const end = Math.min(...ends)
  return Number.isFinite(end) ? end : -1
}

/** The head with CRLF and one Content-Length line; the same bytes if it is so, and if the lengths differ. */
function rewritten(head: Buffer): Buffer {
  const text = head.toString('latin1')
  const lines = text.split(/\r?\n/)
  const lengths = lines.flatMap((line) => lengthLine.exec(line)?.[1]?.trim() ?? [])
  const repeats = lengths.length > 1 && new Set(lengths).size === 1
  if (!repeats && !bareLineFeed.test(text)) return head
  const first = lines.findIndex((line) => lengthLine.test(line))
  const kept = repeats ? lines.filter((line, i) => i <= first || !lengthLine.test(line)) : lines
  return Buffer.from(kept.join('\r\n'), 'latin1')
}
