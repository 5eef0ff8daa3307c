import fc from 'fast-check'
import { expect, test } from 'vitest'
import { KeyCache } from './key-cache.ts'
import type { KeyEntry } from './keyring.ts'

const capacity = 3
const org = fc.constantFrom('o1', 'o2')
const credential = fc.constantFrom('a', 'b', 'c', 'd')

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('get' as const), org, credential }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('set' as const),
      org,
      credential,
      storedName: fc.constantFrom('s1', 's2', 's3'),
      lifetime: fc.constantFrom(Number.POSITIVE_INFINITY, 2),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('forget' as const), storedName: fc.constantFrom('s1', 's2') }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('clear' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const) }) },
)

interface Modelled {
  readonly name: string
  readonly entry: KeyEntry
  readonly goneAt: number
}

test('the cache behaves as a list in order of use, cut at its capacity', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const cache = new KeyCache(capacity)
      let model: Modelled[] = []
      let now = 0
      for (const it of steps) {
        if (it.kind === 'wait') now++
        if (it.kind === 'clear') {
          cache.clear()
          model = []
        }
        if (it.kind === 'forget') {
          cache.forget(it.storedName)
          model = model.filter(({ entry }) => entry.storedName !== it.storedName)
        }
        if (it.kind === 'set') {
          const name = `${it.org}/${it.credential}`
          const entry = { storedName: it.storedName } as KeyEntry
          cache.set(it.org, it.credential, entry, now + it.lifetime)
          const others = model.filter((other) => other.name !== name)
          model = [{ name, entry, goneAt: now + it.lifetime }, ...others].slice(0, capacity)
        }
        if (it.kind === 'get') {
          const name = `${it.org}/${it.credential}`
          const held = model.find((other) => other.name === name)
          const alive = held !== undefined && held.goneAt > now ? held : undefined
          expect(cache.get(it.org, it.credential, { now: () => now })).toBe(alive?.entry)
          const others = model.filter((other) => other.name !== name)
          model = alive === undefined ? others : [alive, ...others]
        }
        expect(cache.size).toBe(model.length)
      }
    }),
    { numRuns: 500 },
  )
})
