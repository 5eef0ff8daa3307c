/** Signals over a mock of the client, without a server. */
import { createHash } from 'node:crypto'
import { makeMemoryLog } from '@turnpike/testkit'
import { signalsSuite } from '@turnpike/testkit/suites/signals-suite'
import { expect } from 'vitest'
import { makeMockClient } from '../redis-mock/mock-client.ts'
import { loadRedisMock, openRedisMock } from '../redis-mock/redis-mock.ts'
import { makeRedisLink } from '../store-redis/redis-link.ts'
import { processTimers } from '../store-redis/timers.ts'
import { makeRedisSignals } from './signals-redis.ts'

signalsSuite('redis, mocked', async () => {
  const mock = openRedisMock(Date.now, await loadRedisMock())
  const client = () => makeMockClient({ mock, timers: processTimers })
  const open = async () => {
    const log = makeMemoryLog()
    const link = makeRedisLink({ redis: client(), log })
    const signals = makeRedisSignals({ link, redis: client(), log, signing: { secret: 's3cret' } })
    await link.ready(15_000)
    await expect.poll(signals.isListening).toBe(true)
    return { link, signals, log }
  }
  const [first, second] = [await open(), await open()]
  let markers = 0
  return {
    first: first.signals,
    second: second.signals,
    // Messages come in order: once a node has heard of this one, it has heard all before.
    async arrive() {
      markers += 1
      const command = `marker ${markers}`
      const signature = createHash('sha256').update(`${command}s3cret`).digest('hex')
      const text = JSON.stringify({ command, payload: '', signature, algorithm: 5 })
      await first.link.call((redis) => redis.publish('svc.cluster.notifications', text))
      const heard = ({ log }: typeof first) => log.lines.some(({ fields }) => fields['command'] === command)
      await expect.poll(() => heard(first) && heard(second)).toBe(true)
    },
    async cleanup() {
      for (const { signals, link } of [first, second]) {
        signals.close()
        await link.close()
      }
      mock.close()
    },
  }
})
