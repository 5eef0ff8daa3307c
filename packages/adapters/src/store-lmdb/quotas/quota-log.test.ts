import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeVirtualClock } from '@turnpike/testkit'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openQuotaLog, type QuotaLog, type QuotaSource } from './quota-log.ts'
import { fileHandles } from './testing/file-handles.ts'

const clock = makeVirtualClock()
const text = new TextDecoder()
const blobOf = (what: string, bytes = what.length) => new TextEncoder().encode(what.padEnd(bytes, '.'))

let folder: string
let log: QuotaLog

const openLog = (tell: (blob: Uint8Array) => void = () => {}) => openQuotaLog(folder, clock, tell)
const fileOf = (number: number) => join(folder, `quotas-00000${number}.log`)

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-quota-log-'))
  log = openLog()
})

afterEach(async () => {
  await log.close()
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

/** What the log holds, in order, each blob's first letters. */
function held(): string[] {
  const blobs: string[] = []
  openLog((blob) => blobs.push(text.decode(blob.subarray(0, 4))))
  return blobs
}

/** As a process does that starts after this one has gone. */
async function reopen(): Promise<void> {
  await log.close()
  log = openLog()
}

describe('blobs are told in the order in which they were appended', () => {
  test('one after the other, at once, and by the next process', async () => {
    await log.append(blobOf('one '))
    await Promise.all([log.append(blobOf('two ')), log.append(blobOf('tri ', 200_000)), log.append(blobOf('four'))])
    await reopen()
    await log.append(blobOf('five'))
    expect(held()).toEqual(['one ', 'two ', 'tri ', 'four', 'five'])
    expect(readdirSync(folder)).toEqual(['quotas-000001.log'])
  })

  test('from one file after the other, by their numbers', async () => {
    const keep = join(folder, 'keep')
    await log.append(blobOf('one '))
    await log.close()
    renameSync(fileOf(1), keep)
    log = openLog()
    await log.append(blobOf('two '))
    renameSync(fileOf(1), join(folder, 'quotas-1000000.log'))
    renameSync(keep, join(folder, 'quotas-999999.log'))
    expect(held()).toEqual(['one ', 'two '])
  })

  test('whole, byte for byte', async () => {
    const bytes = Uint8Array.from({ length: 70_000 }, (_, i) => (i * 31) % 251)
    await log.append(bytes)
    const told: Uint8Array[] = []
    openLog((blob) => told.push(Uint8Array.from(blob)))
    expect(told).toEqual([bytes])
  })

  test('an empty one is none', async () => {
    await log.append(new Uint8Array(0))
    expect(readdirSync(folder)).toEqual([])
  })

  test('files of other names are left alone', async () => {
    for (const name of ['quotas-000001.log.old', 'quotas-x.log', 'my-quotas-000009.log'])
      writeFileSync(join(folder, name), 'x')
    await reopen()
    await log.append(blobOf('one '))
    expect(held()).toEqual(['one '])
  })
})

describe('what a crash left of a blob is passed over, and all others are told', () => {
  beforeEach(async () => {
    await log.append(blobOf('one '))
    await log.append(blobOf('two ', 1000))
    await log.close()
  })

  const cut = (bytes: number) => truncateSync(fileOf(1), statSync(fileOf(1)).size - bytes)
  const flip = (fromEnd: number) => {
    const bytes = readFileSync(fileOf(1))
    const at = bytes.length - fromEnd
    bytes[at] = (bytes[at] as number) ^ 1
    writeFileSync(fileOf(1), bytes)
  }

  test.each([
    ['its last byte is missing', () => cut(1)],
    ['only its length was written', () => cut(1004)],
    ['its length was written in part', () => cut(1006)],
    ['a bit of it is another', () => flip(500)],
    ['its length is another', () => flip(1008)],
  ])('%s', async (_, spoil) => {
    spoil()
    expect(held()).toEqual(['one '])
    log = openLog()
    await log.append(blobOf('tri '))
    await reopen()
    await log.append(blobOf('four'))
    expect(held()).toEqual(['one ', 'tri ', 'four'])
  })

  test('zeros behind the last one', async () => {
    appendFileSync(fileOf(1), Buffer.alloc(5000))
    log = openLog()
    await log.append(blobOf('tri '))
    expect(held()).toEqual(['one ', 'two ', 'tri '])
  })
})

describe('a blob that could not be written is told to have failed, and what follows takes its place', () => {
  test('the disk did not take it', async () => {
    await log.append(blobOf('one '))
    vi.spyOn(await fileHandles(), 'datasync').mockRejectedValueOnce(new Error('EIO'))
    const tried = await Promise.allSettled([log.append(blobOf('lost')), log.append(blobOf('two '))])
    expect(tried.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
    expect(held()).toEqual(['one ', 'two '])
    await reopen()
    await log.append(blobOf('tri '))
    expect(held()).toEqual(['one ', 'two ', 'tri '])
  })

  test('the folder did not take its file', async () => {
    vi.spyOn(await fileHandles(), 'sync').mockRejectedValueOnce(new Error('EIO'))
    await expect(log.append(blobOf('lost'))).rejects.toThrow('EIO')
    await log.append(blobOf('one '))
    expect(held()).toEqual(['one '])
    expect(readdirSync(folder)).toEqual(['quotas-000001.log'])
  })

  test('there is no folder any more, and then there is', async () => {
    rmSync(folder, { recursive: true })
    await expect(log.append(blobOf('lost'))).rejects.toThrow('ENOENT')
    mkdirSync(folder)
    await log.append(blobOf('one '))
    expect(held()).toEqual(['one '])
  })
})

describe('a log that has grown long is written anew', () => {
  beforeEach(async () => {
    for (let i = 0; i < 9; i++) await log.append(blobOf(`old${i}`, 2 ** 20))
  })

  const old = Array.from({ length: 9 }, (_, i) => `old${i}`)
  // More than fit into one batch.
  const count = 1500
  const source: QuotaSource = {
    size: 2,
    *quotas() {
      for (let i = 0; i < count; i++) yield [`k${i}`, { used: 1, renewsAt: undefined }]
    },
  }
  const rewritten = ['["k0', '["k1']

  test('what has changed meanwhile is written before what stood there goes', async () => {
    let then: string[] = []
    await log.shorten(source, async () => {
      then = held()
      await log.append(blobOf('moved'))
    })
    expect(then).toEqual([...old, ...rewritten])
    expect(held()).toEqual([...rewritten, 'move'])
    expect(readdirSync(folder)).toEqual(['quotas-000002.log'])
    await log.append(blobOf('more'))
    await reopen()
    expect(held()).toEqual([...rewritten, 'move', 'more'])
  })

  test('where the changes cannot be written, what stood there stays, until the next time', async () => {
    const failed = log.shorten(source, () => Promise.reject(new Error('the disk is full')))
    await expect(failed).rejects.toThrow('the disk is full')
    expect(held()).toEqual([...old, ...rewritten])
    await log.shorten(source, async () => {})
    expect(held()).toEqual(rewritten)
  })

  test('where the counters cannot be written, what stood there stays', async () => {
    const broken: QuotaSource = {
      ...source,
      *quotas() {
        rmSync(folder, { recursive: true })
        yield* source.quotas()
      },
    }
    await expect(log.shorten(broken, async () => {})).rejects.toThrow('ENOENT')
  })

  test('the oldest file goes first, so that no reset is gone before what it reset', async () => {
    await log.close()
    appendFileSync(fileOf(1), 'broken')
    log = openLog()
    await log.append(blobOf('reset'))
    expect(readdirSync(folder)).toEqual(['quotas-000001.log', 'quotas-000002.log'])
    // What cannot be removed as a file is.
    rmSync(fileOf(1))
    mkdirSync(fileOf(1))
    await expect(log.shorten(source, async () => {})).rejects.toThrow(fileOf(1))
    rmSync(fileOf(1), { recursive: true })
    expect(held()).toEqual(['rese', ...rewritten])
  })

  test('where it is given up, what stood there stays', async () => {
    const stopping: QuotaSource = {
      ...source,
      *quotas() {
        log.stop()
        yield* source.quotas()
      },
    }
    await log.shorten(stopping, async () => {})
    expect(held()).toEqual([...old, '["k0'])
  })

  test('not while it is short', async () => {
    await log.shorten({ ...source, size: 10_000_000 }, async () => {})
    expect(held()).toEqual(old)
  })
})
