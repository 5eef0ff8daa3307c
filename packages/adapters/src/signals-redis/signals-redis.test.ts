import { createHash } from 'node:crypto'
import { makeMemoryLog } from '@turnpike/testkit'
import { signalsSuite } from '@turnpike/testkit/suites/signals-suite'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { makeRedisLink } from '../store-redis/store-redis.ts'
import { type RedisServer, startRedisServer, withoutRedis } from '../store-redis/testing/redis-server.ts'
import { makeRedisSignals } from './signals-redis.ts'

const name = `over a real Redis${withoutRedis === undefined ? '' : ` (not run: ${withoutRedis})`}`
const patience = { timeout: 15_000, interval: 5 }

describe.skipIf(withoutRedis)(name, () => {
  let server: RedisServer
  beforeAll(async () => {
    server = await startRedisServer()
  }, 30_000)
  afterAll(() => server.close())

  const open = async () => {
    const log = makeMemoryLog()
    const redis = { addresses: [server] }
    const link = makeRedisLink({ redis, log, callMs: 10_000 })
    const signals = makeRedisSignals({ link, redis, log, signing: { secret: 's3cret' } })
    await link.ready(15_000)
    await expect.poll(signals.isListening, patience).toBe(true)
    const close = async () => {
      signals.close()
      await link.close()
    }
    return { link, signals, log, close }
  }

  signalsSuite('redis', async () => {
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
        await expect.poll(() => heard(first) && heard(second), patience).toBe(true)
      },
      async cleanup() {
        await first.close()
        await second.close()
      },
    }
  })
})
