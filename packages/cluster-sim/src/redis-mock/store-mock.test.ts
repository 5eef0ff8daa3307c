/**
 * The store test suite on a mock of the client, without a server and on virtual time. The cases that the mock does not
 * support are listed below.
 */

import { makeRedisStore, openRedisConnection } from '@turnpike/adapters/store-redis'
import { makeMemoryLog, makeVirtualClock } from '@turnpike/testkit'
import { storeSuite } from '@turnpike/testkit/suites/store-suite'
import { beforeAll, beforeEach, describe } from 'vitest'
import { makeMockClient } from './mock-client.ts'
import { loadRedisMock, openRedisMock, type RedisMockClass } from './redis-mock.ts'

const cannot: Readonly<Record<string, string>> = {
  'lists the names that begin with a prefix, odd characters included':
    'the mock makes a broken pattern of an escaped bracket',
  'returns exactly the text that was put, even an empty one': 'in scripts of the mock an empty text is nil',
  'returns members from a rank, inclusive': 'the mock cuts the fraction off the limits of ranges',
}

describe('without a server', () => {
  let Mock: RedisMockClass
  beforeAll(async () => {
    Mock = await loadRedisMock()
  })
  beforeEach(({ task, skip }) => {
    const reason = cannot[task.name]
    if (reason !== undefined) skip(reason)
  })

  storeSuite('redis, mocked', async () => {
    const log = makeMemoryLog()
    const clock = makeVirtualClock()
    const timers = { now: clock.now, after: clock.after }
    const mock = openRedisMock(clock.now, Mock)
    const connection = openRedisConnection({ redis: makeMockClient({ mock, timers }), log, timers })
    await connection.ready(1000)
    const store = makeRedisStore({ connection, log, clock })
    const cleanup = async () => {
      await store.close()
      mock.close()
    }
    return { store, pass: clock.run, cleanup }
  })
})
