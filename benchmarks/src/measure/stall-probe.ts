/**
 * Loaded into the gateway's process with `node --import`. Reports the longest stall of the event loop since the last
 * report to the parent process. On a busy machine a loop also stalls because the process has no core, so the probe reports
 * the smaller of wall time and CPU time as well.
 */
export interface Stall {
  /** Longest wall time between two iterations of the event loop, in milliseconds. */
  readonly wallMs: number
  /** The same, but each gap counts only the CPU time of this process. */
  readonly ownMs: number
}

const periodMs = 1
let last = performance.now()
let lastCpu = cpuMs()
let longest = 0
let maxOwnMs = 0

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function sample(): void {
  const now = performance.now()
  const cpu = cpuMs()
  const gap = now - last - periodMs
  longest = Math.max(longest, gap)
  maxOwnMs = Math.max(maxOwnMs, Math.min(gap, cpu - lastCpu))
  last = now
  lastCpu = cpu
}

setInterval(sample, periodMs).unref()
process.on('message', () => {
  sample()
  process.send?.({ wallMs: longest, ownMs: maxOwnMs } satisfies Stall)
  longest = 0
  maxOwnMs = 0
})
// Without its parent this process has no purpose.
process.on('disconnect', () => process.exit(1))
// The channel alone must not keep the gateway alive.
process.channel?.unref()
