/**
 * Schedules the items of one call: in order (`suppressParallelExecution`) or in parallel. Each item needs a slot of the
 * semaphore that a call shares with the batches nested in it (`maxConcurrency` in `shared-batch-limits.ts`). Collects
 * their replies.
 */
import type { BatchCall, BatchItem } from './batch-call.ts'
import type { Reply } from './item-reply.ts'
import type { BatchContext } from './item-request.ts'
import { ItemRunner, type ItemServices, type ReplyCollector } from './run-item.ts'

export class BatchScheduler implements ReplyCollector {
  readonly batch: BatchContext
  readonly services: ItemServices
  private readonly items: readonly BatchItem[]
  /** Maximum number of items in progress at a time. */
  private readonly width: number
  private readonly replies: Reply[] = []
  private readonly started: ItemRunner[] = []
  private bytesHeld = 0
  private isPumping = false
  private isAborted = false
  private finish: (text: string) => void = () => {}

  constructor({ items, inOrder }: BatchCall, batch: BatchContext, services: ItemServices) {
    this.items = items
    this.batch = batch
    this.services = services
    this.width = inOrder ? 1 : items.length
  }

  /** Returns the body of the response: a JSON array and a newline. The promise never settles after `abort()`. */
  run(): Promise<string> {
    return new Promise((resolve) => {
      this.finish = resolve
      this.pump()
    })
  }

  /** Aborts all items in progress and starts no others. */
  abort(): void {
    this.isAborted = true
    for (const item of this.started) item.abort()
  }

  take(reply: Reply, bytes: number): void {
    this.bytesHeld += bytes
    this.replies.push(reply)
    this.pump()
  }

  /** Starts items while the limits allow. An item may finish before `start()` returns, so this function guards against recursion. */
  private pump(): void {
    if (this.isPumping || this.isAborted) return
    const { items, started, replies, width } = this
    const { semaphore, releaseBytes } = this.batch.limits
    this.isPumping = true
    while (started.length < items.length && started.length - replies.length < width) {
      if (!semaphore.tryAcquire()) {
        semaphore.onFree(() => this.pump())
        break
      }
      const item = new ItemRunner(items[started.length] as BatchItem, this)
      started.push(item)
      item.start()
    }
    this.isPumping = false
    if (replies.length < items.length) return
    // From here on the caller holds the replies, as one text.
    releaseBytes(this.bytesHeld)
    this.finish(`${JSON.stringify(replies)}\n`)
  }
}
