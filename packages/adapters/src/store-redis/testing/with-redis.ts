/** A store on a Redis of its test file, and a plain client that looks at what it wrote, as another program would. */
import { type MemoryLog, makeMemoryLog } from '@turnpike/testkit'
import { type RedisServer, startRedisServer, titleWithRedis, withoutRedis } from '@turnpike/testkit/redis-server'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach, describe } from 'vitest'
import {
  makeRedisLink,
  makeRedisStore,
  type RedisLink,
  type RedisStore,
  type RedisStoreOptions,
} from '../store-redis.ts'

export interface RedisAtHand {
  readonly server: RedisServer
  readonly redis: Redis
  readonly log: MemoryLog
  readonly link: RedisLink
  readonly store: RedisStore
  /** Another node on the same Redis. */
  another(options?: Partial<RedisStoreOptions>): Promise<RedisStore>
}

/** Declares tests that need a Redis; it is empty before each. Named as not run where there is none. */
export function describeWithRedis(title: string, tests: (hand: RedisAtHand) => void): void {
  const name = titleWithRedis(title)
  describe.skipIf(withoutRedis)(name, () => {
    const hand = {} as { -readonly [K in keyof RedisAtHand]: RedisAtHand[K] }
    const closing: (() => Promise<void>)[] = []
    const open = async (options: Partial<RedisStoreOptions> = {}) => {
      const link = makeRedisLink({ redis: { addresses: [hand.server] }, log: hand.log, callMs: 10_000 })
      await link.ready(15_000)
      const store = makeRedisStore({ link, log: hand.log, ...options })
      closing.push(() => store.close())
      return { link, store }
    }
    beforeAll(async () => {
      hand.server = await startRedisServer()
      hand.redis = new Redis({ host: hand.server.host, port: hand.server.port, protocol: 2 })
      hand.log = makeMemoryLog()
      Object.assign(hand, await open())
      hand.another = async (options) => (await open(options)).store
    })
    beforeEach(() => hand.server.flush())
    afterAll(async () => {
      for (const close of closing) await close()
      hand.redis.disconnect()
      await hand.server.close()
    })
    tests(hand)
  })
}
