/**
 * Notices that the process is out of file descriptors, and that some are free again. The operating system does not report
 * it: libuv closes new connections at once, and uWebSockets.js would use a whole core for trying to accept them.
 */
import { open } from 'node:fs/promises'
import { devNull } from 'node:os'
import type { Cancel, Log } from '@turnpike/core/ports'

export interface DescriptorListener {
  exhausted(): void
  available(): void
}

const checkMs = 1000
/** Free descriptors from which the process recovers; with fewer, it would be out of them with the next connections. */
const neededFree = 16

class DescriptorWatch {
  readonly listeners = new Set<DescriptorListener>()
  private readonly log: Log
  private timer: NodeJS.Timeout | undefined
  private isOut = false

  constructor(log: Log) {
    this.log = log
  }

  start(): void {
    this.timer ??= setTimeout(() => void this.check(), checkMs).unref()
  }

  private async check(): Promise<void> {
    const isFree = await canOpen(this.isOut ? neededFree : 1)
    this.timer = undefined
    if (this.listeners.size === 0) return
    if (isFree === this.isOut) this.change(!isFree)
    this.start()
  }

  private change(isOut: boolean): void {
    this.isOut = isOut
    if (isOut) {
      const fix = 'raise the limit of open files: ulimit -n, or LimitNOFILE of systemd'
      this.log.error('the process is out of file descriptors: new connections are closed', { fix })
    } else this.log.warn('file descriptors are available again')
    for (const listener of this.listeners) isOut ? listener.exhausted() : listener.available()
  }
}

async function canOpen(count: number): Promise<boolean> {
  const opened = await Promise.allSettled(Array.from({ length: count }, () => open(devNull)))
  let isFree = true
  for (const result of opened) {
    if (result.status === 'fulfilled') await result.value.close().catch(() => {})
    else if (/^E[MN]FILE$/.test(String((result.reason as NodeJS.ErrnoException).code))) isFree = false
  }
  return isFree
}

/** One for all listeners of a gateway, so that it logs once. */
const watches = new WeakMap<Log, DescriptorWatch>()

/** Watches until the returned function is called. */
export function watchDescriptors(log: Log, listener: DescriptorListener): Cancel {
  const watch = watches.get(log) ?? new DescriptorWatch(log)
  watches.set(log, watch)
  watch.listeners.add(listener)
  watch.start()
  return () => void watch.listeners.delete(listener)
}
