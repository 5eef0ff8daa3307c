import { describe, expect, it } from 'vitest'
import { makeManualClock } from '../../../test/support/manual-clock.ts'
import { silentLog } from '../../ports/log.ts'
import type { PemCodec } from '../../ports/pem-codec.ts'
import type { Signal, Signals } from '../../ports/signals.ts'
import { makeMemoryStore } from '../../store-memory/memory-store.ts'
import { makeMemorySignals } from '../../store-memory/signals-memory.ts'
import { makeCertificateStore } from './certificate-store.ts'

/** The text is the fingerprint. Texts that start with `0` cannot be decrypted. */
const codec: PemCodec = {
  read: (text) =>
    /^[0-9a-f]{64}$/.test(text)
      ? { sha256: text, details: undefined, hasPrivateKey: false, pem: text }
      : { problem: 'no certificate' },
  seal: ({ pem }) => `sealed ${pem}`,
  open(stored) {
    const pem = stored.replace('sealed ', '')
    return pem.startsWith('0') ? undefined : { sha256: pem, details: undefined, hasPrivateKey: false, pem }
  },
}

const print = (digit: string) => digit.repeat(64)

function makeNodes() {
  const clock = makeManualClock()
  const store = makeMemoryStore({ clock })
  const signals = makeMemorySignals()
  const deaf: Signals = { publish: async () => undefined, subscribe: () => () => undefined }
  const make = (by: Signals) => makeCertificateStore({ store, codec, signals: by, clock, log: silentLog })
  return { clock, store, here: make(signals), there: make(signals), unheard: make(deaf) }
}

describe('uploaded certificates', () => {
  it('are stored under the compatible names and in the list of their organisation', async () => {
    const { store, here } = makeNodes()
    expect(await here.add(print('a'), 'org1')).toEqual({ kind: 'added', id: `org1${print('a')}` })
    expect(await store.records.get(`cert-raw-org1${print('a')}`)).toBe(`sealed ${print('a')}`)
    expect(await store.records.members('cert-org1-index')).toMatchObject([{ member: `raw-org1${print('a')}` }])
  })

  it('are listed oldest first, for one organisation or all', async () => {
    const { clock, here } = makeNodes()
    for (const [digit, org] of [
      ['b', 'org1'],
      ['a', 'org1'],
      ['c', 'org10'],
      ['d', ''],
    ] as const) {
      await here.add(print(digit), org)
      await clock.run(10)
    }
    expect(await here.ids('org1')).toEqual([`org1${print('b')}`, `org1${print('a')}`])
    expect(await here.ids('')).toHaveLength(4)
    expect(await here.ids('nobody')).toEqual([])
  })

  it('in a store without lists are listed too, restricted to the organisation', async () => {
    const { store, here } = makeNodes()
    await store.records.put(`cert-raw-org1${print('a')}`, `sealed ${print('a')}`)
    await store.records.put(`cert-raw-org1extra${print('b')}`, `sealed ${print('b')}`)
    expect(await here.ids('org1')).toEqual([`org1${print('a')}`])
    expect(await store.records.get('cert-org1-index-migrated')).toBe('1')
    await here.remove(`org1${print('a')}`)
    expect(await here.ids('org1')).toEqual([])
  })

  it('are rejected the second time, also if both uploads are concurrent', async () => {
    const { here, there } = makeNodes()
    const both = await Promise.all([here.add(print('a'), 'o'), there.add(print('a'), 'o')])
    expect(both.map(({ kind }) => kind).toSorted()).toEqual(['added', 'rejected'])
    expect(both).toContainEqual({ kind: 'rejected', message: `Certificate with o${print('a')} id already exists` })
    expect(await here.add('nonsense', 'o')).toEqual({ kind: 'rejected', message: 'no certificate' })
  })

  it('are evicted at once on the node that removes them, and by signal on others', async () => {
    const { here, there } = makeNodes()
    const id = `org1${print('a')}`
    await here.add(print('a'), 'org1')
    expect(await there.get(id)).toMatchObject({ id, pem: print('a') })
    await here.remove(id)
    expect(await here.get(id)).toBeUndefined()
    expect(await there.get(id)).toBeUndefined()
  })

  it('are evicted after five minutes on a node that receives no signal', async () => {
    const { clock, here, unheard } = makeNodes()
    const id = `org1${print('a')}`
    await here.add(print('a'), 'org1')
    await unheard.get(id)
    await here.remove(id)
    await clock.run(299_000)
    expect(await unheard.get(id)).toBeDefined()
    await clock.run(1000)
    expect(await unheard.get(id)).toBeUndefined()
  })

  it('are read again after a gap in the signals', async () => {
    const { store, clock, here } = makeNodes()
    const listeners: ((signal: Signal) => void)[] = []
    const lossy: Signals = {
      publish: async () => undefined,
      subscribe: (listener) => {
        listeners.push(listener)
        return () => undefined
      },
    }
    const there = makeCertificateStore({ store, codec, signals: lossy, clock, log: silentLog })
    const id = `org1${print('a')}`
    await here.add(print('a'), 'org1')
    await there.get(id)
    await here.remove(id)
    expect(await there.get(id)).toBeDefined()
    for (const listener of listeners) listener({ kind: 'gap' })
    expect(await there.get(id)).toBeUndefined()
  })

  it('are found after they were added, also if a lookup failed before', async () => {
    const { clock, here, there, unheard } = makeNodes()
    const id = `org1${print('a')}`
    expect([await there.get(id), await unheard.get(id)]).toEqual([undefined, undefined])
    await here.add(print('a'), 'org1')
    expect(await there.get(id)).toBeDefined()
    await clock.run(10_000)
    expect(await unheard.get(id)).toBeDefined()
  })

  it('are not restored by a read that started before the removal', async () => {
    const { store, clock } = makeNodes()
    const id = `org1${print('a')}`
    let response: (text: string | undefined) => void = () => undefined
    const slow = { ...store.records, get: () => new Promise<string | undefined>((resolve) => (response = resolve)) }
    const slowly = makeCertificateStore({
      store: { records: slow },
      codec,
      signals: makeMemorySignals(),
      clock,
      log: silentLog,
    })
    const reading = slowly.get(id)
    await slowly.remove(id)
    response(`sealed ${print('a')}`)
    expect(await reading).toBeDefined()
    const again = slowly.get(id)
    response(undefined)
    expect(await again).toBeUndefined()
  })

  it('that cannot be decrypted count as missing', async () => {
    const { store, here } = makeNodes()
    await store.records.put(`cert-raw-org1${print('0')}`, `sealed ${print('0')}`)
    expect(await here.get(`org1${print('0')}`)).toBeUndefined()
  })
})
