/** Signals over a mock of the client, without a server. */
import { makeMemoryLog } from '@turnpike/testkit'
import { signalsSuite } from '@turnpike/testkit/suites/signals-suite'
import { expect } from 'vitest'
import { makeMockClient } from '../redis-mock/mock-client.ts'
import { loadRedisMock, openRedisMock } from '../redis-mock/redis-mock.ts'
import { makeRedisLink } from '../store-redis/redis-link.ts'
import { processTimers } from '../store-redis/timers.ts'
import { makeRedisSignals } from './signals-redis.ts'
import { closeNode, makeArrival, patience, secret } from './testing/redis-nodes.ts'

signalsSuite('redis, mocked', async () => {
  const mock = openRedisMock(Date.now, await loadRedisMock())
  const client = () => makeMockClient({ mock, timers: processTimers })
  const open = async () => {
    const log = makeMemoryLog()
    const link = makeRedisLink({ redis: client(), log })
    const signals = makeRedisSignals({ link, redis: client(), log, signing: { secret } })
    await link.ready(15_000)
    await expect.poll(signals.isListening, patience).toBe(true)
    return { link, signals, log }
  }
  const [first, second] = [await open(), await open()]
  return {
    first: first.signals,
    second: second.signals,
    arrive: makeArrival(first, second),
    async cleanup() {
      for (const node of [first, second]) await closeNode(node)
      mock.close()
    },
  }
})
