/** The store port suite on a Redis Cluster, on a Redis with Sentinel, and on all three with Valkey. */
import { makeMemoryLog } from '@turnpike/testkit'
import { type RedisCluster, startRedisCluster } from '@turnpike/testkit/redis-cluster'
import { type RedisWithSentinel, startRedisSentinel } from '@turnpike/testkit/redis-sentinel'
import {
  hasProgram,
  type RedisServer,
  startRedisServer,
  titleWithRedis,
  withoutRedis,
} from '@turnpike/testkit/redis-server'
import { type StoreSuiteOptions, storeSuite } from '@turnpike/testkit/suites/store-suite'
import { afterAll, beforeAll, describe } from 'vitest'
import { makeRedisStore, openRedisConnection, type RedisConnectionOptions, type RedisLayout } from './store-redis.ts'

/** Cases run concurrently, because most of them wait for the end of a window. */
function suiteOn(
  name: string,
  connectionOptions: () => RedisConnectionOptions,
  { layout = 'recorded', ...options }: StoreSuiteOptions & { readonly layout?: RedisLayout } = {},
): void {
  const open = async () => {
    const log = makeMemoryLog()
    const connection = openRedisConnection({ redis: connectionOptions(), log, callMs: 10_000 })
    await connection.ready(15_000)
    return makeRedisStore({ connection, log, layout })
  }
  const make = async () => {
    const store = await open()
    return {
      store,
      pass: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
      reopen: open,
      cleanup: () => store.close(),
    }
  }
  storeSuite(name, make, options)
}

// Windows pass in real time, so a test on a machine that stalls for most of a second can see the next window.
const settings = { retry: 2, concurrent: true }

describe.skipIf(withoutRedis)(titleWithRedis('a Redis Cluster'), settings, () => {
  let cluster: RedisCluster
  beforeAll(async () => {
    cluster = await startRedisCluster()
  }, 60_000)
  afterAll(() => cluster.close())
  const options = (): RedisConnectionOptions => ({ addresses: cluster.servers, cluster: true })
  suiteOn('tagged layout', options, { layout: 'tagged' })
  // The sentinel limiter needs two keys in one script.
  suiteOn('recorded layout', options, { algorithms: ['local', 'rolling', 'fixed'] })
})

describe.skipIf(withoutRedis)(titleWithRedis('a Redis with Sentinel'), settings, () => {
  let redis: RedisWithSentinel
  beforeAll(async () => {
    redis = await startRedisSentinel()
  }, 60_000)
  afterAll(() => redis.close())
  suiteOn('redis-sentinel', () => ({ addresses: redis.sentinels, sentinel: { master: redis.masterName } }))
})

const valkey = 'valkey-server'
const withoutValkey = hasProgram(valkey) ? '' : `, not run: ${valkey} is not installed (apt-get install ${valkey})`

// Not a failure in CI, because Debian has the package from version 13 on. TURNPIKE_REDIS_SERVER runs all tests on it.
describe.skipIf(withoutValkey !== '')(`Valkey${withoutValkey}`, settings, () => {
  const started: { close(): Promise<void> }[] = []
  let server: RedisServer
  let cluster: RedisCluster
  let replicated: RedisWithSentinel
  beforeAll(async () => {
    server = await startRedisServer({ program: valkey })
    cluster = await startRedisCluster({ program: valkey })
    replicated = await startRedisSentinel({ program: valkey })
    started.push(server, cluster, replicated)
  }, 60_000)
  afterAll(async () => {
    for (const each of started) await each.close()
  })
  suiteOn('valkey', () => ({ addresses: [server] }))
  suiteOn('a cluster', () => ({ addresses: cluster.servers, cluster: true }), { layout: 'tagged' })
  suiteOn('sentinels', () => ({
    addresses: replicated.sentinels,
    sentinel: { master: replicated.masterName },
  }))
})
