import { expect, it } from 'vitest'
import { sweepMap } from './sweep.ts'

it('sweeps a map in slices and reports each removed name', () => {
  const map = new Map(Array.from({ length: 10 }, (_, i) => [`n${i}`, i]))
  const removed: string[] = []
  const table = sweepMap(
    map,
    (value, now) => value < now,
    (name) => removed.push(name),
  )
  expect(table.sweepSlice(4, 3)).toBe(false)
  expect(removed).toEqual(['n0', 'n1', 'n2'])
  // Insertions and removals between two slices do not disturb the sweep.
  map.delete('n5')
  map.set('late', 0)
  expect(table.sweepSlice(100, 3)).toBe(true)
  expect(removed).toEqual(['n0', 'n1', 'n2', 'late'])
  expect(map.size).toBe(6)
  expect(table.sweepSlice(100, 100)).toBe(true)
  expect(map.size).toBe(0)
})
