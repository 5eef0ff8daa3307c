/**
 * Loaded into the gateway's process beside the gateway (`node --import`): tells over the channel to its parent how
 * much memory is held once everything that can be collected is, and for how long the event loop stood still since it
 * was asked last. It changes nothing of the gateway.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'

export interface HeldMemory {
  /** Objects of JavaScript and the bytes of their buffers. */
  readonly heldBytes: number
  readonly longestStallMs: number
}

const loop = monitorEventLoopDelay({ resolution: 10 })
loop.enable()

process.on('message', () => {
  const longestStallMs = loop.max / 1e6
  // Twice: what a finaliser lets go of is collected by the next round.
  for (let i = 0; i < 2; i++) globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  process.send?.({ heldBytes: heapUsed + external, longestStallMs } satisfies HeldMemory)
  loop.reset()
})
// Whoever soaks it is gone: so must it be.
process.on('disconnect', () => process.exit(1))
// The channel alone must not keep the gateway alive.
process.channel?.unref()
