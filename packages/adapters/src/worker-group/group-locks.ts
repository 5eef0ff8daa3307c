/**
 * Locks by name that one worker at a time holds, granted by the supervisor in the order of the requests. A worker that ends
 * releases its locks.
 */
import type { KeyLock } from '@turnpike/core/session'
import type { GroupMember } from './group-member.ts'
import type { GroupRelay } from './group-relay.ts'

const topics = { lock: 'lock', unlock: 'unlock' } as const

interface Entry {
  readonly worker: object
  readonly grant: (granted: true) => void
}

/** Grants the locks. */
export function relayLocks(relay: GroupRelay): void {
  /** Who holds each lock, then who waits for it. */
  const queues = new Map<string, readonly Entry[]>()

  const leave = (name: string, left: (entry: Entry, index: number) => boolean) => {
    const before = queues.get(name) ?? []
    const queue = before.filter((entry, index) => !left(entry, index))
    const [holder] = queue
    if (holder === undefined) queues.delete(name)
    else queues.set(name, queue)
    if (holder !== before[0]) holder?.grant(true)
  }

  relay.handle(topics.lock, (payload, worker) => {
    const name = String(payload)
    return new Promise<true>((grant) => {
      const queue = [...(queues.get(name) ?? []), { worker, grant }]
      queues.set(name, queue)
      if (queue.length === 1) grant(true)
    })
  })
  relay.handle(topics.unlock, (payload) => {
    leave(String(payload), (_, index) => index === 0)
    return true
  })
  relay.onEnd((ended) => {
    for (const name of [...queues.keys()]) leave(name, ({ worker }) => worker === ended)
  })
}

/** The locks of one worker. */
export function makeGroupKeyLock(member: GroupMember): KeyLock {
  return {
    async hold(storedName, change) {
      await member.request(topics.lock, storedName)
      try {
        return await change()
      } finally {
        await member.request(topics.unlock, storedName)
      }
    },
  }
}
