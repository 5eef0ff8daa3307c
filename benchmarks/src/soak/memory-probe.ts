/**
 * Loaded into the gateway's process with `node --import`. The message `report` returns how much memory is in use after a
 * full garbage collection, and the longest stall of the event loop since the last report. The message `sample` collects
 * no garbage.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'

export interface MemoryReport {
  /** Bytes of the JavaScript heap and of array buffers. */
  readonly usedBytes: number
  readonly maxStallMs: number
  /** Handles, requests and timers that keep the process alive. */
  readonly resources: number
}

export interface ProcessSample {
  /** The longest gap between two iterations of the event loop since the last sample, in ms of CPU time. */
  readonly stallMs: number
  readonly resources: number
}

const loop = monitorEventLoopDelay({ resolution: 10 })
loop.enable()

const periodMs = 5
let last = performance.now()
let lastCpu = process.cpuUsage()
let longest = 0

/** On a busy machine the loop also waits for a core, so only CPU time of the process counts. */
function look(): void {
  const now = performance.now()
  const { user, system } = process.cpuUsage(lastCpu)
  lastCpu = process.cpuUsage()
  longest = Math.max(longest, Math.min(now - last - periodMs, (user + system) / 1000))
  last = now
}
setInterval(look, periodMs).unref()

const resources = () => process.getActiveResourcesInfo().length

process.on('message', (message) => {
  if (message === 'sample') {
    look()
    process.send?.({ stallMs: longest, resources: resources() } satisfies ProcessSample)
    longest = 0
    return
  }
  const maxStallMs = loop.max / 1e6
  // Twice, because the second collection frees what finalisers of the first released.
  for (let i = 0; i < 2; i++) globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  process.send?.({ usedBytes: heapUsed + external, maxStallMs, resources: resources() } satisfies MemoryReport)
  loop.reset()
  // The collections above are no stall of the gateway.
  lastCpu = process.cpuUsage()
  last = performance.now()
})
// Without its parent this process has no purpose.
process.on('disconnect', () => process.exit(1))
// The channel alone must not keep the gateway alive.
process.channel?.unref()
