import { describe, expect, it } from 'vitest'
import { makeManualClock } from '../../test/support/manual-clock.ts'
import type { Signal } from '../ports/signals.ts'
import { makeMemoryStore } from '../store-memory/memory-store.ts'
import { makeMemorySignals } from '../store-memory/signals-memory.ts'
import { joinCluster } from './cluster-member.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {} }

function makeGroup() {
  const clock = makeManualClock()
  const store = makeMemoryStore({ clock })
  const signals = makeMemorySignals()
  const heard: Signal[] = []
  signals.subscribe((signal) => heard.push(signal))
  let ids = 0
  const join = (host: string, servedHash = 'same') => {
    const reloads: number[] = []
    const member = joinCluster({
      ...{ clock, store, signals, log: silent, vendor: 'svc', host },
      ids: { uuid: () => `id${++ids}` },
      engine: {
        reload: () => {
          reloads.push(clock.now())
          return Promise.resolve({} as never)
        },
        report: () => undefined,
        definitions: () => [],
        servedHash: () => servedHash,
      },
    })
    return { member, reloads }
  }
  return { clock, store, heard, join }
}

describe('a node of a group', () => {
  it('is listed with its served hash until it leaves or misses its heartbeats', async () => {
    const { clock, join } = makeGroup()
    const [one, two] = [join('b-host', 'x'), join('a-host', 'y')]
    await clock.run(0)
    expect((await one.member.nodes()).map(({ host, servedHash }) => [host, servedHash])).toEqual([
      ['a-host', 'y'],
      ['b-host', 'x'],
    ])
    await two.member.close()
    expect((await one.member.nodes()).map(({ host }) => host)).toEqual(['b-host'])
  })

  it('handles a group reload that it missed once, at its next heartbeat', async () => {
    const { clock, store, join } = makeGroup()
    const { reloads } = join('a')
    await clock.run(0)
    await store.records.put('svc-group-reload', 'a request of another node')
    await clock.run(5_000)
    expect(reloads.length).toBe(1)
    await clock.run(20_000)
    expect(reloads.length).toBe(1)
  })

  it('ignores a reload request that is older than itself', async () => {
    const { clock, store, join } = makeGroup()
    await store.records.put('svc-group-reload', 'of yesterday')
    const { reloads } = join('a')
    await clock.run(20_000)
    expect(reloads).toEqual([])
  })

  it('publishes a group reload after writing it to the store', async () => {
    const { clock, store, heard, join } = makeGroup()
    const { member } = join('a')
    await clock.run(0)
    await member.reloadGroup()
    expect(await store.records.get('svc-group-reload')).toBeDefined()
    await clock.run(0)
    expect(heard).toEqual([{ kind: 'reload' }])
  })
})
