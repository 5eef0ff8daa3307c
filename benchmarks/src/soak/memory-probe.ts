/**
 * Loaded into the gateway's process with `node --import`. Reports to the parent process how much memory is in use after
 * a full garbage collection, and the longest stall of the event loop since the last report.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'

export interface MemoryReport {
  /** Bytes of the JavaScript heap and of array buffers. */
  readonly usedBytes: number
  readonly maxStallMs: number
}

const loop = monitorEventLoopDelay({ resolution: 10 })
loop.enable()

process.on('message', () => {
  const maxStallMs = loop.max / 1e6
  // Twice, because the second collection frees what finalisers of the first released.
  for (let i = 0; i < 2; i++) globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  process.send?.({ usedBytes: heapUsed + external, maxStallMs } satisfies MemoryReport)
  loop.reset()
})
// Without its parent this process has no purpose.
process.on('disconnect', () => process.exit(1))
// The channel alone must not keep the gateway alive.
process.channel?.unref()
