/**
 * A stream of server-sent events whose data is looked at as it passes: one event is held at a time, and no more than a
 * bound of it. Events that stay as they are go out byte for byte. Source: WHATWG HTML 9.2.6; spec/oas-and-mcp.md 2.4.
 */
import { BodyTooLarge, type ByteSink, type ByteStream, joinChunks } from '../../http/byte-stream.ts'
import { utf8Bytes, utf8Text } from '../../lib/text/utf8.ts'

/** Other data for an event; `undefined`: it stays. */
export type ChangeData = (data: string) => string | undefined

const lineFeed = 0x0a
const carriageReturn = 0x0d

/** An event stream on its way; `maxEventBytes`: a longer event breaks the stream off. */
export class FilteredEventStream implements ByteStream, ByteSink {
  private readonly source: ByteStream
  private readonly change: ChangeData
  private readonly maxEventBytes: number
  private sink: ByteSink | undefined
  private held: Uint8Array[] = []
  private heldBytes = 0
  /** Nothing but line ends was read since the last line with something in it began to end. */
  private lineIsEmpty = false
  private afterReturn = false
  private over = false

  constructor(source: ByteStream, change: ChangeData, maxEventBytes: number) {
    this.source = source
    this.change = change
    this.maxEventBytes = maxEventBytes
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
   * Whether an empty line ends with this byte. Lines end in LF, CR or CR LF. An event that ends in a bare CR is let go
   * with the byte, and an LF that follows then begins the next one, where it is passed over.
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
      // What cannot be written anew, such as very deep JSON, is not shown either.
      this.breakOff(cause)
      return true
    }
    return this.sink?.data(changed === undefined ? bytes : utf8Bytes(changed)) ?? true
  }

  private breakOff(cause: unknown): void {
    this.over = true
    this.held = []
    this.source.cancel()
    this.sink?.fail(cause)
  }
}

/** The event with other data at its end, its other fields kept in order; `undefined`: it stays as it is. */
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
