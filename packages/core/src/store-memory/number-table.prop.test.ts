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
    fc.property(fc.array(step, { maxLength: 300 }), fc.integer(), (steps, seed) => {
      const table = new NumberTable(2, seed)
      const model = new Map<string, number>()
      for (const { kind, name, value } of steps) {
        const found = table.find(name)
        expect(found >= 0).toBe(model.has(name))
        // Wherever it is looked for first, of a name that is there or not.
        for (const id of [-1, found, found + 1, Math.abs(value) % 7, table.idsEnd])
          expect(table.findNear(name, id)).toBe(found)
        if (kind === 'set') {
          const id = found >= 0 ? found : table.add(name)
          if (found < 0) expect([table.get(id, 0), table.get(id, 1)]).toEqual([0, 0])
          table.set(id, 0, value)
          table.set(id, 1, -value)
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
  const table = new NumberTable(1, 7)
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
  expect(table.idsEnd).toBe(20_000)
})
