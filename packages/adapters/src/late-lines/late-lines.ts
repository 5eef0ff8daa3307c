/**
 * Lines that may come a moment late: of the log, and about requests. They are written many at once, so that a line
 * costs no system call of its own, and left out while nobody takes them: a reader that stands still (a pipe nobody
 * reads, a stopped terminal) must neither hold the gateway up nor fill its memory, nor keep it from ending.
 */

/** The parts of a process's output that matter here. */
export interface LineStream {
  write(text: string): unknown
  /** Bytes that were written and not taken yet. */
  readonly writableLength: number
}

export interface LateLines {
  /** Takes one line, without its end. */
  add(line: string): void
  /** Writes what waits, now. */
  flush(): void
}

const gatherMs = 20
/** What may wait for the reader; some ten thousand requests. */
const mostBytes = 1024 * 1024

export function makeLateLines(stream: LineStream): LateLines {
  let waiting: string[] = []
  let bytes = 0
  let leftOut = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (stream.writableLength > mostBytes) {
      leftOut += waiting.length
    } else if (waiting.length > 0) {
      if (leftOut > 0) waiting.unshift(`(${leftOut} lines left out: nobody took them)`)
      leftOut = 0
      stream.write(`${waiting.join('\n')}\n`)
    }
    waiting = []
    bytes = 0
  }
  return {
    add(line) {
      bytes += line.length
      waiting.push(line)
      if (bytes > mostBytes) flush()
      else timer ??= setTimeout(flush, gatherMs).unref()
    },
    flush,
  }
}
