/** Test helpers for two nodes on one Redis, real or mocked. */
import { createHash } from 'node:crypto'
import type { MemoryLog } from '@turnpike/testkit'
import { expect } from 'vitest'
import type { RedisConnection } from '../../store-redis/redis-connection.ts'
import type { makeRedisSignals } from '../signals-redis.ts'

export interface RedisNode {
  readonly connection: RedisConnection
  readonly signals: ReturnType<typeof makeRedisSignals>
  readonly log: MemoryLog
}

/** Secret that the nodes sign messages with. */
export const secret = 's3cret'

export const patience = { timeout: 15_000, interval: 5 }

/**
 * Returns a function that waits until both nodes have received all earlier messages. It publishes a marker and waits for
 * it, since messages arrive in order.
 */
export function makeArrival(first: RedisNode, second: RedisNode): () => Promise<void> {
  let markers = 0
  return async () => {
    markers += 1
    const command = `marker ${markers}`
    const signature = createHash('sha256').update(`${command}${secret}`).digest('hex')
    const text = JSON.stringify({ command, payload: '', signature, algorithm: 5 })
    await first.connection.call((redis) => redis.publish('svc.cluster.notifications', text))
    const hasReceived = ({ log }: RedisNode) => log.lines.some(({ fields }) => fields['command'] === command)
    await expect.poll(() => hasReceived(first) && hasReceived(second), patience).toBe(true)
  }
}

export async function closeNode({ connection, signals }: RedisNode): Promise<void> {
  signals.close()
  await connection.close()
}
