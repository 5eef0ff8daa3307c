/**
 * Loaded into the gateway's process beside the gateway (`node --import`): tells over the channel to its parent how
 * long the event loop stood still since it was asked last. On a busy machine a loop also stands still because the
 * process was not given a core; so the lesser of wall time and CPU time is told beside the wall time.
 */
export interface Stall {
  /** Longest time between two turns, milliseconds. */
  readonly wallMs: number
  /** As above, but of each gap only what the process itself worked. */
  readonly ownMs: number
}

const periodMs = 1
let last = performance.now()
let lastCpu = cpuMs()
let longest = 0
let longestOwn = 0

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function look(): void {
  const now = performance.now()
  const cpu = cpuMs()
  const gap = now - last - periodMs
  longest = Math.max(longest, gap)
  longestOwn = Math.max(longestOwn, Math.min(gap, cpu - lastCpu))
  last = now
  lastCpu = cpu
}

setInterval(look, periodMs).unref()
process.on('message', () => {
  look()
  process.send?.({ wallMs: longest, ownMs: longestOwn } satisfies Stall)
  longest = 0
  longestOwn = 0
})
// Whoever measures is gone: so must it be.
process.on('disconnect', () => process.exit(1))
// The channel alone must not keep the gateway alive.
process.channel?.unref()
