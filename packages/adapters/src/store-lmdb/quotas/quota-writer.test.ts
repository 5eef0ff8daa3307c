import { makeVirtualClock } from '@turnpike/testkit'
import { beforeEach, expect, test } from 'vitest'
import type { QuotaLog } from './quota-log.ts'
import { type ChangingQuotas, type QuotaWriter, startQuotaWriter } from './quota-writer.ts'

const clock = makeVirtualClock()
const blobOf = (number: number) => Uint8Array.of(number)
let said: string[]
/** Numbers of blobs that the disk does not take. */
let refused: number[]
let changes: number[]
let writer: QuotaWriter

const log: QuotaLog = {
  async append([number = 0]) {
    if (refused.includes(number)) throw new Error(`no room for ${number}`)
    said.push(`wrote ${number}`)
  },
  async shorten() {},
  stop() {},
  async settled() {},
  async close() {},
}
const quotas: ChangingQuotas = {
  size: 0,
  slice: () => ({ blob: blobOf(0), next: undefined }),
  get changes() {
    return changes.length
  },
  takeChanges: () => changes.splice(0).map(blobOf),
  giveBack: ([number = 0]) => {
    said.push(`gave back ${number}`)
    changes.push(number)
  },
  reuse: ([number = 0]) => said.push(`reused ${number}`),
}

beforeEach(() => {
  said = []
  refused = []
  changes = [1, 2]
  writer = startQuotaWriter(log, clock, quotas)
})

const pass = async (ms: number) => {
  await clock.advance(ms)
  await new Promise((resolve) => setImmediate(resolve))
}

test('changes are written half a second after they were noted, and their bytes are free then', async () => {
  writer.note()
  await pass(499)
  expect(said).toEqual([])
  await pass(1)
  expect(said.sort()).toEqual(['reused 1', 'reused 2', 'wrote 1', 'wrote 2'])
})

test('what the disk did not take is given back, told, and tried again', async () => {
  refused = [1]
  writer.note()
  await pass(500)
  expect(said).toEqual(['gave back 1', 'wrote 2', 'reused 2'])
  expect(writer.problem).toBe('no room for 1')
  refused = []
  await pass(500)
  expect(said.slice(3)).toEqual(['wrote 1', 'reused 1'])
  expect(writer.problem).toBeUndefined()
})

test('closing writes what is left, and tells when it could not', async () => {
  await writer.close()
  expect(said).toContain('wrote 2')
  changes = [3]
  refused = [3]
  await expect(writer.close()).rejects.toThrow('no room for 3')
})
