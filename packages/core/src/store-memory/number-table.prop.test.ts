import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NumberTable } from './number-table.ts'

// Few names, of which some differ only in how wide their letters are, and some are long.
const name = fc.oneof(
  fc.constantFrom('', 'a', 'b', '\0', 'ü', '✓', 'a✓', 'ab', '\ud800', 'ü'.repeat(48), 'y'.repeat(49), 'x'.repeat(300)),
  fc.integer({ min: 0, max: 400 }).map((n) => `quota-key-${n}`),
)
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('set' as const), name, value: fc.integer() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), name, value: fc.constant(0) }) },
)

test('the table holds what a map of its names would', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), fc.integer(), fc.boolean(), (steps, seed, hasHomes) => {
      const table = new NumberTable({ numbers: 2, whole: 3, letters: 48, seed, expected: hasHomes ? 8192 : 0 })
      const model = new Map<string, number>()
      for (const { kind, name, value } of steps) {
        const found = table.find(name)
        expect(found >= 0).toBe(model.has(name))
        // Wherever it is looked for first, of a name that is there or not.
        for (const id of [-1, found, found + 1, Math.abs(value) % 7, table.idsEnd])
          expect(table.findNear(name, id)).toBe(found)
        if (kind === 'set') {
          const id = found >= 0 ? found : table.add(name)
          const all = () => [table.get(id, 0), table.get(id, 1), ...[0, 1, 2].map((at) => table.getWhole(id, at))]
          if (found < 0) expect(all()).toEqual([0, 0, 0, 0, 0])
          table.set(id, 0, value)
          table.set(id, 1, -value)
          for (const at of [0, 1, 2]) table.setWhole(id, at, 2 ** 32 - 1 - at)
          expect(all()).toEqual([value, -value, 2 ** 32 - 1, 2 ** 32 - 2, 2 ** 32 - 3])
          model.set(name, value)
        } else if (found >= 0) {
          table.remove(found)
          model.delete(name)
        }
        expect(table.size).toBe(model.size)
      }
      const held = new Map<string, number>()
      for (let id = 0; id < table.idsEnd; id++) if (table.isUsed(id)) held.set(table.nameOf(id), table.get(id, 0))
      expect(held).toEqual(model)
    }),
    { numRuns: 200 },
  )
})

test('a table that grew, shrank and grew again finds every name', () => {
  const table = new NumberTable({ numbers: 1, letters: 48, seed: 7 })
  growAndShrink(table)
  expect(table.idsEnd).toBe(20_000)
})

test('so does one that expected fewer, which gives rows that were set aside to most', () => {
  const table = new NumberTable({ numbers: 1, letters: 48, seed: 7, expected: 10_000 })
  const setAside = table.idsEnd
  expect(setAside).toBe(15_000)
  growAndShrink(table)
  // Of 20,000 that came, those that found their homes taken lie behind.
  const behind = table.idsEnd - setAside
  expect(behind).toBeGreaterThan(20_000 - setAside)
  expect(behind).toBeLessThan(9000)
  expect(table.bytes).toBe(table.idsEnd * (16 + 8 + 48))
})

test('where as many come as were expected, nineteen of twenty are at home, and rows of those that went are used again', () => {
  const table = new NumberTable({ numbers: 1, letters: 48, seed: 7, expected: 10_000 })
  const setAside = table.idsEnd
  const add = (i: number) => {
    table.find(`key-${i}`)
    return table.add(`key-${i}`)
  }
  const ids = Array.from({ length: 10_000 }, (_, i) => add(i))
  expect(ids.filter((id) => id < setAside).length).toBeGreaterThan(9500)
  const behind = ids.findIndex((id) => id >= setAside)
  const home = ids.findIndex((id) => id < setAside)
  for (const i of [behind, home]) {
    table.remove(ids[i] as number)
    expect([table.find(`key-${i}`), table.size]).toEqual([-1, 9999])
    expect(table.hasFreeRow).toBe(true)
    expect(add(i)).toBe(ids[i])
    expect(table.size).toBe(10_000)
  }
})

test('rows that are set aside for many lie in several stretches', () => {
  const table = new NumberTable({ numbers: 1, letters: 8, expected: 400_000 })
  expect(table.idsEnd).toBe(600_000)
  growAndShrink(table)
  const ids = Array.from({ length: 1000 }, (_, i) =>
    table.find(`rate-limit-key-${i * 2 + 1}${(i * 2 + 1) % 5 === 0 ? '✓' : ''}`),
  )
  for (const stretch of [0, 1]) expect(ids.filter((id) => id >> 18 === stretch).length).toBeGreaterThan(100)
})

/** Adds 20,000 names, takes every other off and adds 5,000 more. */
function growAndShrink(table: NumberTable): void {
  const nameOf = (i: number) => `rate-limit-key-${i}${i % 5 === 0 ? '✓' : ''}`
  const add = (i: number) => {
    expect(table.find(nameOf(i))).toBe(-1)
    table.set(table.add(nameOf(i)), 0, i)
  }
  for (let i = 0; i < 20_000; i++) add(i)
  for (let i = 0; i < 20_000; i += 2) table.remove(table.find(nameOf(i)))
  for (let i = 20_000; i < 25_000; i++) add(i)
  for (let i = 0; i < 25_000; i++) {
    const id = table.find(nameOf(i))
    if (i < 20_000 && i % 2 === 0) expect(id).toBe(-1)
    else expect([table.get(id, 0), table.nameOf(id)]).toEqual([i, nameOf(i)])
  }
  expect(table.size).toBe(15_000)
}
