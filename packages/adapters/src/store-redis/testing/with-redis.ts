/** A Redis server per test file, with a store and a plain client that reads what the store wrote. */
import { type MemoryLog, makeMemoryLog } from '@turnpike/testkit'
import { type RedisServer, startRedisServer, titleWithRedis, withoutRedis } from '@turnpike/testkit/redis-server'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach, describe } from 'vitest'
import {
  makeRedisStore,
  openRedisConnection,
  type RedisConnection,
  type RedisStore,
  type RedisStoreOptions,
} from '../store-redis.ts'

export interface RedisFixture {
  readonly server: RedisServer
  readonly redis: Redis
  readonly log: MemoryLog
  readonly connection: RedisConnection
  readonly store: RedisStore
  /** Another node on the same Redis. */
  another(options?: Partial<RedisStoreOptions>): Promise<RedisStore>
}

/** Declares tests on an empty Redis. They are skipped, with a note in the title, if there is no server binary. */
export function describeWithRedis(title: string, tests: (fixture: RedisFixture) => void): void {
  const name = titleWithRedis(title)
  describe.skipIf(withoutRedis)(name, () => {
    const fixture = {} as { -readonly [K in keyof RedisFixture]: RedisFixture[K] }
    const closing: (() => Promise<void>)[] = []
    const open = async (options: Partial<RedisStoreOptions> = {}) => {
      const connection = openRedisConnection({
        redis: { addresses: [fixture.server] },
        log: fixture.log,
        callMs: 10_000,
      })
      await connection.ready(15_000)
      const store = makeRedisStore({ connection, log: fixture.log, ...options })
      closing.push(() => store.close())
      return { connection, store }
    }
    beforeAll(async () => {
      fixture.server = await startRedisServer()
      fixture.redis = new Redis({ host: fixture.server.host, port: fixture.server.port, protocol: 2 })
      fixture.log = makeMemoryLog()
      Object.assign(fixture, await open())
      fixture.another = async (options) => (await open(options)).store
    })
    beforeEach(() => fixture.server.flush())
    afterAll(async () => {
      for (const close of closing) await close()
      fixture.redis.disconnect()
      await fixture.server.close()
    })
    tests(fixture)
  })
}
