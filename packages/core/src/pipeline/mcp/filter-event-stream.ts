/**
 * Filters a stream of server-sent events: buffers one event at a time, up to a limit, and may replace its data. Events
 * that do not change pass byte for byte (WHATWG HTML section 9.2.6, docs/reference/mcp-proxies.md#list-filters).
 */
import { BodyTooLarge, type ByteSink, type ByteStream, joinChunks } from '../../http/byte-stream.ts'
import { utf8Bytes, utf8Text } from '../../lib/text/utf8.ts'

/** Returns new data for an event; `undefined` leaves it unchanged. */
export type ChangeData = (data: string) => string | undefined

const lineFeed = 0x0a
const carriageReturn = 0x0d

/**
 * A stream of events. An event that is longer than `maxEventBytes`, or whose data cannot be changed, aborts it; `onAbort`
 * then receives the cause.
 */
export class FilteredEventStream implements ByteStream, ByteSink {
  private readonly source: ByteStream
  private readonly change: ChangeData
  private readonly maxEventBytes: number
  private readonly onAbort: (cause: unknown) => void
  private sink: ByteSink | undefined
  private held: Uint8Array[] = []
  private heldBytes = 0
  /** True if no other byte than line ends was read since the end of the last non-empty line. */
  private lineIsEmpty = false
  private afterReturn = false
  private over = false

  constructor(source: ByteStream, change: ChangeData, maxEventBytes: number, onAbort: (cause: unknown) => void) {
    this.source = source
    this.change = change
    this.maxEventBytes = maxEventBytes
    this.onAbort = onAbort
  }

  pipe(sink: ByteSink): void {
    this.sink = sink
    this.source.pipe(this)
  }

  pause(): void {
    this.source.pause()
  }

  resume(): void {
    this.source.resume()
  }

  cancel(reason?: unknown): void {
    this.over = true
    this.held = []
    this.source.cancel(reason)
  }

  data(chunk: Uint8Array): boolean {
    if (this.over) return true
    let goOn = true
    let start = 0
    for (let i = 0; i < chunk.length && !this.over; i++) {
      if (!this.endsEvent(chunk[i] as number)) continue
      this.hold(chunk.subarray(start, i + 1))
      start = i + 1
      goOn = this.release() && goOn
    }
    if (start < chunk.length) this.hold(chunk.subarray(start))
    if (this.heldBytes <= this.maxEventBytes || this.over) return goOn
    this.breakOff(new BodyTooLarge(this.maxEventBytes))
    return true
  }

  end(): void {
    if (this.over) return
    if (this.heldBytes > 0) this.release()
    if (this.over) return
    this.over = true
    this.sink?.end()
  }

  fail(error: unknown): void {
    if (this.over) return
    this.over = true
    this.sink?.fail(error)
  }

  /**
   * Returns true if this byte ends an empty line, and so the event. Lines end in LF, CR or CR LF. An event that ends in
   * CR is sent with that byte; a following LF becomes the first byte of the next event and is ignored there.
   */
  private endsEvent(byte: number): boolean {
    if (byte === lineFeed && this.afterReturn) {
      this.afterReturn = false
      return false
    }
    this.afterReturn = byte === carriageReturn
    if (byte !== lineFeed && byte !== carriageReturn) {
      this.lineIsEmpty = false
      return false
    }
    const ends = this.lineIsEmpty
    this.lineIsEmpty = true
    return ends
  }

  private hold(bytes: Uint8Array): void {
    this.held.push(bytes)
    this.heldBytes += bytes.length
  }

  private release(): boolean {
    const bytes = joinChunks(this.held, this.heldBytes)
    this.held = []
    this.heldBytes = 0
    let changed: string | undefined
    try {
      changed = changeEvent(utf8Text(bytes), this.change)
    } catch (cause) {
      // Data that cannot be rewritten, such as deeply nested JSON, must not reach the client unfiltered.
      this.breakOff(cause)
      return true
    }
    return this.sink?.data(changed === undefined ? bytes : utf8Bytes(changed)) ?? true
  }

  private breakOff(cause: unknown): void {
    this.over = true
    this.held = []
    this.source.cancel()
    this.onAbort(cause)
    this.sink?.fail(cause)
  }
}

/** Returns the event with new data after its other fields; `undefined` if it does not change. */
function changeEvent(text: string, change: ChangeData): string | undefined {
  if (!text.includes('data')) return undefined
  const lines = text.split(/\r\n|\n|\r/)
  const data: string[] = []
  const others: string[] = []
  for (const line of lines) {
    const found = /^data(?:: ?|$)/.exec(line)
    if (found === null) others.push(line)
    else data.push(line.slice(found[0].length))
  }
  if (data.length === 0) return undefined
  const changed = change(data.join('\n'))
  if (changed === undefined) return undefined
  const fields = [...others.filter((line) => line !== ''), ...changed.split('\n').map((line) => `data: ${line}`)]
  return `${fields.join('\n')}\n\n`
}
