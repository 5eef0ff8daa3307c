import type { QuotaState } from '@turnpike/core/ports'
import { makeVirtualClock } from '@turnpike/testkit'
import { beforeEach, expect, test } from 'vitest'
import { unpackBatch } from './quota-batch.ts'
import type { QuotaLog } from './quota-log.ts'
import { QuotaWriter } from './quota-writer.ts'

const clock = makeVirtualClock()
/** Keys and counts, in the order in which they were written. */
let written: string[]
/** The reason why writes fail; `undefined`: they succeed. */
let problem: string | undefined
let writer: QuotaWriter

const log: Pick<QuotaLog, 'append' | 'shorten' | 'stop'> = {
  async append(blob) {
    if (problem !== undefined) throw new Error(problem)
    unpackBatch(blob, (key, { used }) => written.push(`${key} ${used}`))
  },
  async shorten() {},
  stop() {},
}

beforeEach(() => {
  written = []
  problem = undefined
  writer = new QuotaWriter(log, clock, { size: 0, quotas: () => [] })
})

const quota = (used: number): { used: number } & QuotaState => ({ used, renewsAt: undefined })
const pass = async (ms: number) => {
  await clock.advance(ms)
  await new Promise((resolve) => setImmediate(resolve))
}

test('changes are written half a second after the first one, each quota once with its current value', async () => {
  const a = quota(1)
  writer.note('a', a)
  await pass(400)
  a.used = 2
  writer.note('a', a)
  writer.note('b', quota(0))
  await pass(99)
  expect(written).toEqual([])
  await pass(1)
  expect(written).toEqual(['a 2', 'b 0'])
  await pass(10_000)
  expect(written).toEqual(['a 2', 'b 0'])
})

test('a failed write is reported and repeated with the current values', async () => {
  const a = quota(1)
  problem = 'no room'
  writer.note('a', a)
  writer.note('b', quota(5))
  await pass(500)
  expect(writer.problem).toBe('no room')
  problem = undefined
  a.used = 2
  writer.note('b', quota(6))
  await pass(500)
  expect(written.sort()).toEqual(['a 2', 'b 6'])
  expect(writer.problem).toBeUndefined()
})

test('many changes are written in several batches', async () => {
  for (let i = 0; i < 2500; i++) writer.note(`k${i}`, quota(i))
  await writer.flush()
  expect(written.length).toBe(2500)
})

test('closing writes pending changes, and rejects if that fails', async () => {
  writer.note('a', quota(1))
  await writer.close()
  expect(written).toEqual(['a 1'])
  problem = 'no room'
  writer.note('b', quota(1))
  await expect(writer.close()).rejects.toThrow('no room')
})
