import { makeMemoryLog, makeVirtualClock } from '@turnpike/testkit'
import { type RedisServer, startRedisServer, titleWithRedis, withoutRedis } from '@turnpike/testkit/redis-server'
import { signalsSuite } from '@turnpike/testkit/suites/signals-suite'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openRedisConnection } from '../store-redis/store-redis.ts'
import { makeMessageCodec } from './message-codec.ts'
import { makeRedisSignals, type RedisSignalsOptions } from './signals-redis.ts'
import { closeNode, makeArrival, patience, secret } from './testing/redis-nodes.ts'

const name = titleWithRedis('over a real Redis')

describe.skipIf(withoutRedis)(name, () => {
  let server: RedisServer
  beforeAll(async () => {
    server = await startRedisServer()
  }, 30_000)
  afterAll(() => server.close())

  const open = async (node?: RedisSignalsOptions['node'], signedBy = secret, clock?: RedisSignalsOptions['clock']) => {
    const log = makeMemoryLog()
    const redis = { addresses: [server] }
    const connection = openRedisConnection({ redis, log, callMs: 10_000 })
    const signals = makeRedisSignals({
      connection,
      redis,
      log,
      signing: { secret: signedBy },
      ...(node === undefined ? {} : { node }),
      ...(clock === undefined ? {} : { clock }),
    })
    await connection.ready(15_000)
    await expect.poll(signals.isListening, patience).toBe(true)
    const opened = { connection, signals, log }
    return { ...opened, close: () => closeNode(opened) }
  }

  signalsSuite('redis', async () => {
    const [first, second] = [await open(), await open()]
    return {
      first: first.signals,
      second: second.signals,
      arrive: makeArrival(first, second),
      async cleanup() {
        await first.close()
        await second.close()
      },
    }
  })

  it('subscribes again after a lost connection and delivers a gap', async () => {
    const own = await startRedisServer()
    const log = makeMemoryLog()
    const connection = openRedisConnection({ redis: { addresses: [own] }, log, callMs: 10_000 })
    const signals = makeRedisSignals({ connection, redis: { addresses: [own] }, log })
    onTestFinished(async () => {
      signals.close()
      await connection.close()
      await own.close()
    })
    const received: string[] = []
    signals.subscribe(({ kind }) => received.push(kind))
    await connection.ready(15_000)
    await expect.poll(signals.isListening, patience).toBe(true)
    for (let i = 1; i <= 3; i++) {
      await own.kill()
      await expect.poll(signals.isListening, patience).toBe(false)
      await expect(signals.publish({ kind: 'reload' })).rejects.toThrow()
      await own.start()
      await expect.poll(() => received.filter((kind) => kind === 'gap').length, patience).toBe(i)
    }
    await expect.poll(() => connection.counts().up, patience).toBe(true)
    await signals.publish({ kind: 'reload' })
    await expect.poll(() => received.at(-1), patience).toBe('reload')
  })

  it('nodes count each other, but not nodes with another secret', async () => {
    const node = (id: string) => ({ hostName: 'h', id, tagHash: '', requestsPerSecond: () => 7, noticeIntervalMs: 100 })
    const nodes = [await open(node('solo-1')), await open(node('solo-2')), await open(node('solo-3'), 'another')]
    await expect.poll(() => nodes.map(({ signals }) => signals.nodes()), patience).toEqual([2, 2, 1])
    for (const { close } of nodes) await close()
  })

  it('takes messages over 1 MiB for a gap, signed ones too', async () => {
    const { signals, connection, log, close } = await open()
    const received: string[] = []
    signals.subscribe((signal) => received.push('storedName' in signal ? signal.storedName : signal.kind))
    const long = makeMessageCodec({ secret }).print({ command: 'DeleteAPICache', payload: 'x'.repeat(1_100_000) })
    await connection.call((redis) => redis.publish('svc.cluster.notifications', long))
    await signals.publish({ kind: 'key-changed', storedName: 'after' })
    await expect.poll(() => received, patience).toEqual(['gap', 'after'])
    await close()
    expect(log.lines.map(({ message }) => message)).toEqual([
      'a cluster message over 1 MiB was not read; everything cached is loaded again',
    ])
  })

  it('delivers one gap per minute for messages over 1 MiB', async () => {
    const clock = makeVirtualClock()
    const { signals, connection, close } = await open(undefined, secret, clock)
    const received: string[] = []
    signals.subscribe((signal) => received.push('storedName' in signal ? signal.storedName : signal.kind))
    const sendLong = async (storedName: string) => {
      for (let i = 0; i < 3; i++) {
        await connection.call((redis) => redis.publish('svc.cluster.notifications', 'x'.repeat(1_100_000)))
      }
      await signals.publish({ kind: 'key-changed', storedName })
      await expect.poll(() => received.at(-1), patience).toBe(storedName)
    }
    await sendLong('first')
    expect(received).toEqual(['gap', 'first'])
    await clock.advance(59_999)
    expect(received).toEqual(['gap', 'first'])
    await clock.advance(1)
    expect(received).toEqual(['gap', 'first', 'gap'])
    await clock.advance(120_000)
    expect(received).toHaveLength(3)
    await sendLong('second')
    expect(received.slice(3)).toEqual(['gap', 'second'])
    await close()
  })

  it('logs invalid messages once', async () => {
    const { connection, log, close } = await open()
    for (let i = 0; i < 3; i++) {
      await connection.call((redis) =>
        redis.publish('svc.cluster.notifications', '{"command":"GroupReload","payload":""}'),
      )
    }
    await expect.poll(() => log.lines.length, patience).toBeGreaterThan(0)
    await close()
    expect(log.lines.map(({ message }) => message)).toEqual(['ignored an invalid cluster message'])
  })
})
