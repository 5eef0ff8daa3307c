import { makeMemoryLog } from '@turnpike/testkit'
import { type RedisServer, startRedisServer, titleWithRedis, withoutRedis } from '@turnpike/testkit/redis-server'
import { storeSuite } from '@turnpike/testkit/suites/store-suite'
import { afterAll, beforeAll, describe } from 'vitest'
import { makeRedisStore, openRedisConnection } from './store-redis.ts'

const name = titleWithRedis('a real Redis')

// Windows pass in real time, so a test on a machine that stalls for most of a second can see the next window.
describe.skipIf(withoutRedis)(name, { retry: 2 }, () => {
  let server: RedisServer
  beforeAll(async () => {
    server = await startRedisServer()
  }, 30_000)
  afterAll(() => server.close())

  const open = async () => {
    const log = makeMemoryLog()
    const connection = openRedisConnection({ redis: { addresses: [server] }, log, callMs: 10_000 })
    await connection.ready(15_000)
    return makeRedisStore({ connection, log })
  }

  storeSuite('redis', async () => {
    const store = await open()
    return {
      store,
      pass: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      reopen: open,
      cleanup: () => store.close(),
    }
  })
})
