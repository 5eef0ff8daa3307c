/// <reference path="./testing/ioredis-mock.d.ts" />
/** The store on a mock of its client, without a server: as far as the mock goes. What it cannot do is named below. */
import { makeMemoryLog } from '@turnpike/testkit'
import { storeSuite } from '@turnpike/testkit/suites/store-suite'
import RedisMock from 'ioredis-mock'
import { beforeEach, describe } from 'vitest'
import { makeRedisLink, makeRedisStore } from './store-redis.ts'

const cannot: Readonly<Record<string, string>> = {
  'lists the names that begin with a prefix, odd characters included':
    'the mock makes a broken pattern of an escaped bracket',
  'gives back the text that was put, letter by letter, and an empty one too':
    'in scripts of the mock an empty text is none',
  lists: 'the mock reads ranges of sorted sets by parts of the client that version 6 does not have',
}

describe('without a server', { retry: 2 }, () => {
  beforeEach(({ task, skip }) => {
    const reason = cannot[task.name] ?? cannot[task.suite?.name ?? '']
    if (reason !== undefined) skip(reason)
  })

  storeSuite('redis, mocked', async () => {
    const log = makeMemoryLog()
    // The mock does not tell how it stands.
    const redis = Object.assign(new RedisMock(), { status: 'ready', isCluster: false })
    const link = makeRedisLink({ redis, log, callMs: 10_000 })
    await link.ready(15_000)
    const store = makeRedisStore({ link, log })
    return { store, pass: (ms) => new Promise((resolve) => setTimeout(resolve, ms)), cleanup: () => store.close() }
  })
})
