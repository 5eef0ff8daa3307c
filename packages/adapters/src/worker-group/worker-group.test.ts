import type { PreparedReload } from '@turnpike/core/engine'
import { type Signal, silentLog } from '@turnpike/core/ports'
import type { KeyLock } from '@turnpike/core/session'
import { signalsSuite } from '@turnpike/testkit/suites/signals-suite'
import { describe, expect, it } from 'vitest'
import {
  type GroupChannel,
  GroupMember,
  type GroupMessage,
  GroupRelay,
  joinReloads,
  makeGroupKeyLock,
  makeGroupSignals,
  relayLocks,
  relayReloads,
} from './worker-group.ts'

const soon = () => new Promise((resolve) => setTimeout(resolve, 5))

/** Connects a worker to the relay as two processes would be: messages are JSON and arrive later. */
async function connect(relay: GroupRelay) {
  const listeners: ((message: GroupMessage) => void)[] = []
  const pass = (message: GroupMessage, to: (message: GroupMessage) => void) => {
    const text = JSON.stringify(message)
    setImmediate(() => to(JSON.parse(text) as GroupMessage))
  }
  const relayed = relay.add((message) =>
    pass(message, (received) => {
      for (const listener of listeners) listener(received)
    }),
  )
  const channel: GroupChannel = {
    send: (message) => pass(message, relayed.receive),
    onMessage: (listener) => void listeners.push(listener),
  }
  return { member: await GroupMember.join(channel), relayed }
}

const signalsOf = (member: GroupMember) => makeGroupSignals(member, { log: silentLog, reload: () => Promise.resolve() })

signalsSuite('workers of one machine', async () => {
  const relay = new GroupRelay()
  const [first, second] = [await connect(relay), await connect(relay)]
  const signals = [signalsOf(first.member), signalsOf(second.member)] as const
  // The suite counts signals to reload as well, which workers send in two phases.
  const withReload = (one: (typeof signals)[0], member: GroupMember) => ({
    ...one,
    publish: async (signal: Signal) => void (await member.requestAll('signal', signal)),
  })
  return {
    first: withReload(signals[0], first.member),
    second: withReload(signals[1], second.member),
    arrive: async () => void (await soon()),
    async cleanup() {},
  }
})

describe('signals between workers', () => {
  it('resolve when every worker has handled them', async () => {
    const relay = new GroupRelay()
    const [first, second] = [await connect(relay), await connect(relay)]
    const order: string[] = []
    signalsOf(first.member).subscribe(() => void order.push('first'))
    const others = makeGroupSignals(second.member, {
      log: silentLog,
      reload: () => Promise.resolve(),
    })
    others.subscribe(() => void order.push('second'))
    await others.publish({ kind: 'key-changed', storedName: 'k' })
    expect(order.sort()).toEqual(['first', 'second'])
  })

  it('do not wait for a worker that has ended', async () => {
    const relay = new GroupRelay()
    const [first, second] = [await connect(relay), await connect(relay)]
    const signals = signalsOf(first.member)
    second.member.handle('signal', () => new Promise(() => {}))
    const published = signals.publish({ kind: 'key-changed', storedName: 'k' })
    await soon()
    second.relayed.remove()
    await published
  })
})

describe('a reload of all workers', () => {
  /** A worker whose files have this version, and what it did. */
  async function worker(relay: GroupRelay, version: () => string, problem?: () => string | undefined) {
    const { member, relayed } = await connect(relay)
    const group = joinReloads(member)
    const done: string[] = []
    group.join(async (): Promise<PreparedReload> => {
      const prepared = version()
      return {
        version: prepared,
        problem: problem?.(),
        commit: async () => void done.push(`serves ${prepared}`),
        drop: async (reason) => void done.push(reason ?? 'again'),
      }
    })
    return { group, done, relayed }
  }

  it('swaps in all of them when all are prepared', async () => {
    const relay = new GroupRelay()
    relayReloads(relay)
    const [first, second] = [await worker(relay, () => 'v1'), await worker(relay, () => 'v1')]
    await Promise.all([first.group.reload(), second.group.reload(), second.group.reload()])
    expect([first.done, second.done]).toEqual([Array(2).fill('serves v1'), Array(2).fill('serves v1')])
  })

  it('swaps in none if one cannot reload', async () => {
    const relay = new GroupRelay()
    relayReloads(relay)
    const good = await worker(relay, () => 'v1')
    const bad = await worker(
      relay,
      () => 'v1',
      () => 'policies.json cannot be read',
    )
    await good.group.reload()
    const reason = 'a worker could not reload, so none did: policies.json cannot be read'
    expect([good.done, bad.done]).toEqual([[reason], [reason]])
  })

  it('is prepared again if files changed while the workers read them', async () => {
    const relay = new GroupRelay()
    relayReloads(relay)
    let reads = 0
    const first = await worker(relay, () => `v${++reads > 1 ? 2 : 1}`)
    const second = await worker(relay, () => 'v2')
    await second.group.reload()
    expect([first.done, second.done]).toEqual([
      ['again', 'serves v2'],
      ['again', 'serves v2'],
    ])
  })

  it('does not wait for a worker that ends while it prepares', async () => {
    const relay = new GroupRelay()
    relayReloads(relay)
    const first = await worker(relay, () => 'v1')
    const second = await connect(relay)
    second.member.handle('reload/prepare', () => new Promise(() => {}))
    const reloaded = first.group.reload()
    await soon()
    second.relayed.remove()
    await reloaded
    expect(first.done).toEqual(['serves v1'])
  })
})

describe('a lock of all workers', () => {
  it('lets one change at a time read and write', async () => {
    const relay = new GroupRelay()
    relayLocks(relay)
    let stored = 0
    const add = async (lock: KeyLock) =>
      lock.hold('k', async () => {
        const read = stored
        await soon()
        stored = read + 1
      })
    const locks = [await connect(relay), await connect(relay)].map(({ member }) => makeGroupKeyLock(member))
    await Promise.all([...locks, ...locks, ...locks].map(add))
    expect(stored).toBe(6)
  })

  it('is released when its holder fails or ends', async () => {
    const relay = new GroupRelay()
    relayLocks(relay)
    const [first, second] = [await connect(relay), await connect(relay)]
    const lock = makeGroupKeyLock(second.member)
    await expect(lock.hold('k', () => Promise.reject(new Error('full')))).rejects.toThrow('full')
    void makeGroupKeyLock(first.member).hold('k', () => new Promise(() => {}))
    await soon()
    const held = lock.hold('k', async () => 'held')
    first.relayed.remove()
    expect(await held).toBe('held')
  })
})
