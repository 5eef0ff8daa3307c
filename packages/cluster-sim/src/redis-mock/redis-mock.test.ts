import { makeVirtualClock } from '@turnpike/testkit'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeMockClient } from './mock-client.ts'
import { loadRedisMock, openRedisMock } from './redis-mock.ts'

const Mock = await loadRedisMock()

function open() {
  const clock = makeVirtualClock()
  const mock = openRedisMock(clock.now, Mock)
  onTestFinished(() => mock.close())
  return { clock, mock, timers: { now: clock.now, after: clock.after } }
}

describe('a mocked Redis', () => {
  it('names the package to install if it is missing', async () => {
    await expect(loadRedisMock('no-such-mock')).rejects.toThrow(
      'a mocked Redis needs the package "no-such-mock" (8.13 or later): npm install ioredis-mock',
    )
  })

  it('forgets by the time it is given', async () => {
    const { clock, mock } = open()
    await mock.run('set', ['a', 'x', 'PX', 5_000])
    clock.advance(4_999)
    expect([await mock.run('get', ['a']), await mock.run('pttl', ['a'])]).toEqual(['x', 1])
    clock.advance(1)
    expect(await mock.run('get', ['a'])).toBe(null)
  })

  it('reports the virtual time, to the microsecond and in scripts, while the process keeps its own', async () => {
    const { clock, mock } = open()
    clock.advance(1_789)
    const { Date: own } = globalThis
    const seconds = String(Math.floor(clock.now() / 1000))
    expect(await mock.run('time', [])).toEqual([seconds, '789000'])
    expect(await mock.run('eval', ["return redis.call('TIME')", 0])).toEqual([seconds, '789001'])
    expect(globalThis.Date).toBe(own)
    expect(Date.now()).not.toBe(clock.now())
  })

  it('counts in scripts beyond 32 bits', async () => {
    const { mock } = open()
    expect(await mock.run('eval', ['return tonumber(ARGV[1]) * 1000', 0, '1767225600'])).toBe(1_767_225_600_000)
  })

  it('knows a script by its hash once it was sent', async () => {
    const { mock } = open()
    const sha = 'e0e1f9fabfc9d4800c877a703b823ac0578ff8db'
    await expect(mock.run('evalsha', [sha, 0])).rejects.toThrow('NOSCRIPT')
    expect(await mock.run('eval', ['return 1', 0])).toBe(1)
    expect(await mock.run('evalsha', [sha, 0])).toBe(1)
  })

  it('is empty when it is opened, regardless of other instances', async () => {
    const first = open()
    await first.mock.run('set', ['a', 'x'])
    const second = open()
    expect(await second.mock.run('keys', ['*'])).toEqual([])
    first.mock.close()
    const third = open()
    expect(await third.mock.run('keys', ['*'])).toEqual([])
  })
})

describe('a client of a mocked Redis', () => {
  it('waits for a lost reply until it connects again', async () => {
    const { clock, mock, timers } = open()
    let isCut = false
    const reach = <T>(work: () => Promise<T>) => (isCut ? new Promise<T>(() => undefined) : work())
    const client = makeMockClient({ mock, reach, timers })
    const events: string[] = []
    for (const event of ['close', 'ready']) client.on(event, () => events.push(event))
    await client.set('a', 'x')
    isCut = true
    const lost = client.get('a')
    client.disconnect(true)
    await expect(lost).rejects.toThrow('Connection is closed.')
    await expect(client.get('a')).rejects.toThrow('Connection is closed.')
    await clock.run(5_000)
    expect([client.status, events]).toEqual(['connecting', ['close']])
    isCut = false
    await clock.run(5_000)
    expect([client.status, events]).toEqual(['ready', ['close', 'ready']])
    expect(await client.get('a')).toBe('x')
  })
})
