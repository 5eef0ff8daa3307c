import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeVirtualClock } from '@turnpike/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type OpenDatabase, openDatabase } from './open-database.ts'
import { openQuotaLog, type QuotaLog, type QuotaSource } from './quota-log.ts'

const clock = makeVirtualClock()
const text = new TextDecoder()
const blobOf = (what: string, bytes = what.length) => new TextEncoder().encode(what.padEnd(bytes, '.'))

let folder: string
let database: OpenDatabase
let log: QuotaLog

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-quota-log-'))
  database = openDatabase(folder)
  log = openQuotaLog(database.quotaLog, clock, () => {})
  for (let i = 0; i < 9; i++) await log.append(blobOf(`old${i}`, 2 ** 20))
})

afterEach(async () => {
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

/** What the log holds, in order, each blob's first letters. */
function held(): string[] {
  const blobs: string[] = []
  openQuotaLog(database.quotaLog, clock, (blob) => blobs.push(text.decode(blob.subarray(0, 4))))
  return blobs
}

const old = Array.from({ length: 9 }, (_, i) => `old${i}`)
const source: QuotaSource = {
  size: 2,
  slice: (from) => ({ blob: blobOf(`new${from}`), next: from === 0 ? 1 : undefined }),
}

test('what has changed while the log is written anew is written before what stood there goes', async () => {
  let then: string[] = []
  await log.shorten(source, async () => {
    then = held()
    await log.append(blobOf('moved'))
  })
  expect(then).toEqual([...old, 'new0', 'new1'])
  expect(held()).toEqual(['new0', 'new1', 'move'])
})

test('where that cannot be written, what stood there stays', async () => {
  const failed = log.shorten(source, () => Promise.reject(new Error('the disk is full')))
  await expect(failed).rejects.toThrow('the disk is full')
  expect(held()).toEqual([...old, 'new0', 'new1'])
})
