/** Signals over a mock of the client, without a server. */
import { createHash } from 'node:crypto'
import { systemClock } from '@turnpike/adapters/clock-system'
import { makeRedisSignals } from '@turnpike/adapters/signals-redis'
import { openRedisConnection } from '@turnpike/adapters/store-redis'
import { type MemoryLog, makeMemoryLog } from '@turnpike/testkit'
import { signalsSuite } from '@turnpike/testkit/suites/signals-suite'
import { expect } from 'vitest'
import { makeMockClient } from './mock-client.ts'
import { loadRedisMock, openRedisMock } from './redis-mock.ts'

const secret = 's3cret'
const patience = { timeout: 15_000, interval: 5 }

signalsSuite('redis, mocked', async () => {
  const mock = openRedisMock(Date.now, await loadRedisMock())
  const client = () => makeMockClient({ mock, timers: systemClock })
  const open = async () => {
    const log = makeMemoryLog()
    const connection = openRedisConnection({ redis: client(), log })
    const signals = makeRedisSignals({ connection, redis: client(), log, signing: { secret } })
    await connection.ready(15_000)
    await expect.poll(signals.isListening, patience).toBe(true)
    return { connection, signals, log }
  }
  let markers = 0
  const [first, second] = [await open(), await open()]
  return {
    first: first.signals,
    second: second.signals,
    // Messages arrive in order: once both nodes have received a marker, they have received everything before it.
    async arrive() {
      markers += 1
      const command = `marker ${markers}`
      const signature = createHash('sha256').update(`${command}${secret}`).digest('hex')
      await mock.run('publish', [
        'svc.cluster.notifications',
        JSON.stringify({ command, payload: '', signature, algorithm: 5 }),
      ])
      const hasArrived = (log: MemoryLog) => log.lines.some(({ fields }) => fields['command'] === command)
      await expect.poll(() => hasArrived(first.log) && hasArrived(second.log), patience).toBe(true)
    },
    async cleanup() {
      for (const { connection, signals } of [first, second]) {
        signals.close()
        await connection.close()
      }
      mock.close()
    },
  }
})
