/** Signals between the workers of a gateway. `publish` resolves when all workers have handled the signal. */
import type { Log, Signal, Signals } from '@turnpike/core/ports'
import { makeMemorySignals } from '@turnpike/core/store-memory'
import type { GroupMember } from './group-member.ts'

export interface GroupSignalsOptions {
  readonly log: Log
  /** Reloads all workers; a signal to reload does not pass the listeners. */
  readonly reload: () => Promise<unknown>
}

const topic = 'signal'

export function makeGroupSignals(member: GroupMember, { log, reload }: GroupSignalsOptions): Signals {
  const local = makeMemorySignals({ log })
  member.handle(topic, async (signal) => {
    await local.publish(signal as Signal)
    // The local signals call their listeners in a microtask of their own.
    await new Promise((resolve) => setImmediate(resolve))
    return true
  })
  return {
    async publish(signal) {
      if (signal.kind === 'reload') await reload()
      else await member.requestAll(topic, signal)
    },
    subscribe: local.subscribe,
  } satisfies Signals
}
