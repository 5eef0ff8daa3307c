import { expect, test } from 'vitest'
import { CallQueue } from './call-queue.ts'

const upload = (name: string) => ({ name, isUpload: true })
const plain = (name: string) => ({ name, isUpload: false })

test('uploads get three quarters of the connections', () => {
  const queue = new CallQueue<{ name: string; isUpload: boolean }>(8)
  for (let i = 0; i < 5; i++) queue.uploadStarted()
  expect(queue.isOverShare(upload('sixth'))).toBe(false)
  queue.uploadStarted()
  expect([queue.isOverShare(upload('seventh')), queue.isOverShare(plain('get'))]).toEqual([true, false])
  for (const call of [upload('a'), plain('b'), upload('c')]) queue.add(call)
  expect(queue.next()?.name).toBe('b')
  expect(queue.next()).toBeUndefined()
  queue.uploadEnded()
  expect([queue.next()?.name, queue.next()?.name, queue.next()]).toEqual(['a', 'c', undefined])
})

test('below their share, uploads wait like all other calls: the oldest is first', () => {
  const queue = new CallQueue<{ name: string; isUpload: boolean }>(8)
  for (const call of [plain('a'), upload('b'), plain('c')]) queue.add(call)
  expect(queue.size).toBe(2)
  expect([queue.next()?.name, queue.next()?.name, queue.next()?.name]).toEqual(['a', 'b', 'c'])
  expect(queue.size).toBe(0)
})

test('removed and drained calls are not returned', () => {
  const queue = new CallQueue<{ name: string; isUpload: boolean }>(1)
  const calls = [upload('a'), plain('b'), plain('c')]
  for (const call of calls) queue.add(call)
  queue.remove(calls[1] as (typeof calls)[number])
  expect(queue.drain().map(({ name }) => name)).toEqual(['a', 'c'])
  expect([queue.next(), queue.size]).toEqual([undefined, 0])
})
