import { expect, it } from 'vitest'
import { ReadMemory } from './read-memory.ts'

const long = 65_536

it('is shared unless a long body flows', () => {
  const memory = new ReadMemory()
  const shared = memory.next(0, false)
  expect(memory.next(100, true)).toBe(shared)
  expect(memory.next(long, false)).toBe(shared)
  expect(memory.lendable).toBeUndefined()
  const own = memory.next(long, true)
  expect(own).not.toBe(shared)
  expect(memory.lendable?.bytes).toBe(own)
  expect(new ReadMemory().next(long, true)).not.toBe(own)
  expect(memory.next(long, true)).toBe(own)
  expect(memory.next(100, true)).toBe(shared)
})

it('is not read into while a receiver has kept it, and used again afterwards', () => {
  const memory = new ReadMemory()
  const kept = memory.next(long, true)
  const lease = memory.lendable
  lease?.keep()
  expect(memory.next(long, true)).not.toBe(kept)
  expect(new ReadMemory().next(long, true)).not.toBe(kept)
  lease?.giveBack()
  expect(new ReadMemory().next(long, true)).toBe(kept)
})

it('is used again by another socket when the body has ended', () => {
  const memory = new ReadMemory()
  const own = memory.next(long, true)
  memory.next(long, false)
  expect(new ReadMemory().next(long, true)).toBe(own)
})
