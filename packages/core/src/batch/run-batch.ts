/** Runs the items of one call, in order or at once as far as the gate allows, and gathers their replies. */
import type { BatchCall, BatchItem } from './batch-call.ts'
import type { Outer } from './item-request.ts'
import { type ItemWays, type RunningItem, runItem } from './run-item.ts'

export interface RunningBatch {
  /** The body of the answer: a JSON array and a line end. Never settles once aborted. */
  readonly text: Promise<string>
  /** Gives up what is under way; nothing else is begun. */
  abort(): void
}

export function runBatch({ items, inOrder }: BatchCall, outer: Outer, ways: ItemWays): RunningBatch {
  const { gate, giveBytes } = outer.shares
  const width = inOrder ? 1 : items.length
  const replies: string[] = []
  const running = new Set<RunningItem>()
  let next = 0
  let underWay = 0
  let bytesHeld = 0
  let isPumping = false
  let isGone = false
  let finish: (text: string) => void = () => {}

  const start = (item: BatchItem) => {
    let entry: RunningItem | undefined
    let isDone = false
    underWay += 1
    entry = runItem(item, outer, ways, (reply, bytes) => {
      isDone = true
      if (entry !== undefined) running.delete(entry)
      underWay -= 1
      bytesHeld += bytes
      replies.push(reply)
      pump()
    })
    if (!isDone) running.add(entry)
  }
  /** Starts what may be started. Items may be done before they are started, so it is never run inside itself. */
  const pump = () => {
    if (isPumping || isGone) return
    isPumping = true
    while (next < items.length && underWay < width) {
      if (!gate.enter()) {
        gate.whenFree(pump)
        break
      }
      start(items[next++] as BatchItem)
    }
    isPumping = false
    if (replies.length < items.length) return
    // Replies become one text, which whoever asked holds from here on.
    giveBytes(bytesHeld)
    finish(`[${replies.join(',')}]\n`)
  }

  const text = new Promise<string>((resolve) => {
    finish = resolve
    pump()
  })
  return {
    text,
    abort() {
      isGone = true
      for (const item of running) item.abort()
    },
  }
}
