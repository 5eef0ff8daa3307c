/**
 * Writes lines of the log and of the request output in batches, so that a line does not cost a system call. If the
 * reader is too slow (a full pipe, a suspended terminal), lines are dropped, so that the gateway neither blocks nor
 * buffers without limit.
 */

/** The used part of a `Writable` such as `process.stdout`. */
export interface LineStream {
  write(text: string): unknown
  /** Bytes that were written and not yet accepted by the reader. */
  readonly writableLength: number
}

export interface BufferedLineWriter {
  /** Adds a line without its line break. */
  add(line: string): void
  /** Writes all buffered lines immediately. */
  flush(): void
}

const flushDelayMs = 20
/** Maximum bytes that wait for the reader; about 10,000 request lines. */
const maxBytes = 1024 * 1024

export function makeBufferedLineWriter(stream: LineStream): BufferedLineWriter {
  let lines: string[] = []
  let bytes = 0
  let dropped = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (stream.writableLength > maxBytes) {
      dropped += lines.length
    } else if (lines.length > 0) {
      if (dropped > 0) lines.unshift(`(${dropped} lines dropped: the reader was too slow)`)
      dropped = 0
      stream.write(`${lines.join('\n')}\n`)
    }
    lines = []
    bytes = 0
  }
  return {
    add(line) {
      bytes += line.length
      lines.push(line)
      if (bytes > maxBytes) flush()
      else timer ??= setTimeout(flush, flushDelayMs).unref()
    },
    flush,
  }
}
