/** Runs the items of one call, in order or at once as far as the gate allows, and gathers their replies. */
import type { BatchCall, BatchItem } from './batch-call.ts'
import type { Outer } from './item-request.ts'
import { type Gatherer, ItemRun, type ItemWays } from './item-run.ts'
import type { Reply } from './reply.ts'

export class BatchRun implements Gatherer {
  readonly outer: Outer
  readonly ways: ItemWays
  private readonly items: readonly BatchItem[]
  /** Most items under way at once, as far as the gate lets them. */
  private readonly width: number
  private readonly replies: Reply[] = []
  private readonly begun: ItemRun[] = []
  private bytesHeld = 0
  private isPumping = false
  private isGone = false
  private finish: (text: string) => void = () => {}

  constructor({ items, inOrder }: BatchCall, outer: Outer, ways: ItemWays) {
    this.items = items
    this.outer = outer
    this.ways = ways
    this.width = inOrder ? 1 : items.length
  }

  /** The body of the response: a JSON array and a line end. Never settles once aborted. */
  run(): Promise<string> {
    return new Promise((resolve) => {
      this.finish = resolve
      this.pump()
    })
  }

  /** Gives up what is under way; nothing else is begun. */
  abort(): void {
    this.isGone = true
    for (const item of this.begun) item.abort()
  }

  take(reply: Reply, bytes: number): void {
    this.bytesHeld += bytes
    this.replies.push(reply)
    this.pump()
  }

  /** Starts what may be started. Items may be done before their start returns, so it never runs inside itself. */
  private pump(): void {
    if (this.isPumping || this.isGone) return
    const { items, begun, replies, width } = this
    const { gate, giveBytes } = this.outer.shares
    this.isPumping = true
    while (begun.length < items.length && begun.length - replies.length < width) {
      if (!gate.enter()) {
        gate.whenFree(() => this.pump())
        break
      }
      const item = new ItemRun(items[begun.length] as BatchItem, this)
      begun.push(item)
      item.start()
    }
    this.isPumping = false
    if (replies.length < items.length) return
    // Replies become one text, which whoever asked holds from here on.
    giveBytes(this.bytesHeld)
    this.finish(`${JSON.stringify(replies)}\n`)
  }
}
