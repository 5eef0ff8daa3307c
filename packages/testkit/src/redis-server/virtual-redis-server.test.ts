import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { virtualEpoch } from '../virtual-clock.ts'
import {
  startVirtualRedisServer,
  titleWithVirtualRedis,
  type VirtualRedisServer,
  withoutVirtualRedis,
} from './virtual-redis-server.ts'

describe.skipIf(withoutVirtualRedis)(titleWithVirtualRedis('a Redis with a virtual time'), () => {
  let server: VirtualRedisServer
  beforeAll(async () => {
    server = await startVirtualRedisServer()
  })
  afterAll(() => server.close())

  const evaluate = async (lua: string) => Number((await server.command(`EVAL "${lua}" 0`)).slice(1))
  const timeInScript = async () => {
    const seconds = await evaluate("return tonumber(redis.call('TIME')[1])")
    const micros = await evaluate("return tonumber(redis.call('TIME')[2])")
    return seconds * 1000 + micros / 1000
  }

  it('reports the set time to the millisecond', async () => {
    for (const at of [
      virtualEpoch,
      virtualEpoch + 1,
      virtualEpoch + 499,
      virtualEpoch + 86_400_999,
      virtualEpoch - 1,
    ]) {
      server.moveTo(at)
      expect(await timeInScript()).toBe(at)
    }
  })

  it('expires keys and reports remaining lifetimes by the set time', async () => {
    server.moveTo(virtualEpoch)
    await server.command('SET a x PX 60000')
    server.moveTo(virtualEpoch + 59_000)
    expect(await server.command('PTTL a')).toBe(':1000')
    server.moveTo(virtualEpoch + 60_001)
    expect(await server.command('EXISTS a')).toBe(':0')
  })

  it('can be set back, which lengthens the remaining lifetimes', async () => {
    server.moveTo(virtualEpoch)
    await server.command('SET b x PX 60000')
    server.moveTo(virtualEpoch - 10_000)
    expect(await server.command('PTTL b')).toBe(':70000')
  })

  it('keeps the set time after a restart', async () => {
    server.moveTo(virtualEpoch + 5000)
    await server.kill()
    await server.start()
    expect(await timeInScript()).toBe(virtualEpoch + 5000)
  })
})
