/**
 * Loaded into the gateway's process with `node --import`. The message `sample` returns stalls of the event loop since the
 * last sample, and collects no garbage. The message `report` returns how much memory is in use after a full collection,
 * which needs `--expose-gc`.
 */
export interface Stall {
  /** Longest wall time between two iterations of the event loop, in milliseconds, since the last sample or report. */
  readonly wallMs: number
  /**
   * The same since the last sample, but each gap counts only the CPU time of this process. On a busy machine a loop also
   * stalls because the process has no core.
   */
  readonly ownMs: number
  /** Handles, requests and timers that keep the process alive. */
  readonly resources: number
}

export interface MemoryReport extends Stall {
  /** Bytes of the JavaScript heap and of array buffers. */
  readonly usedBytes: number
}

const periodMs = 1
let last = performance.now()
let lastCpu = cpuMs()
let wallMs = 0
let ownMs = 0

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function look(): void {
  const now = performance.now()
  const cpu = cpuMs()
  const gap = now - last - periodMs
  wallMs = Math.max(wallMs, gap)
  ownMs = Math.max(ownMs, Math.min(gap, cpu - lastCpu))
  last = now
  lastCpu = cpu
}

setInterval(look, periodMs).unref()
process.on('message', (message) => {
  look()
  const stall: Stall = { wallMs, ownMs, resources: process.getActiveResourcesInfo().length }
  wallMs = 0
  if (message === 'sample') {
    process.send?.(stall)
    ownMs = 0
    return
  }
  // Twice, because the second collection frees what finalisers of the first released.
  for (let i = 0; i < 2; i++) globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  process.send?.({ ...stall, usedBytes: heapUsed + external } satisfies MemoryReport)
  // The collections above are no stall of the gateway.
  last = performance.now()
  lastCpu = cpuMs()
})
// Without its parent this process has no purpose.
process.on('disconnect', () => process.exit(1))
// The channel alone must not keep the gateway alive.
process.channel?.unref()
