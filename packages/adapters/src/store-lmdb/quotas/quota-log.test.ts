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
import { QuotaLog, type QuotaSource } from './quota-log.ts'
import { fileHandles } from './testing/file-handles.ts'

const clock = makeVirtualClock()
const text = new TextDecoder()
const blobOf = (what: string, bytes = what.length) => new TextEncoder().encode(what.padEnd(bytes, '.'))

let folder: string
let log: QuotaLog

const openLog = (onBlob: (blob: Uint8Array) => void = () => {}) => new QuotaLog(folder, clock, onBlob)
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

/** The first characters of each blob in the log, in order. */
function held(): string[] {
  const blobs: string[] = []
  openLog((blob) => blobs.push(text.decode(blob.subarray(0, 4))))
  return blobs
}

/** Opens the log as the next process would. */
async function reopen(): Promise<void> {
  await log.close()
  log = openLog()
}

describe('blobs are read in the order of the appends', () => {
  test('sequential, concurrent, and by the next process', async () => {
    await log.append(blobOf('one '))
    await Promise.all([log.append(blobOf('two ')), log.append(blobOf('tri ', 200_000)), log.append(blobOf('four'))])
    await reopen()
    await log.append(blobOf('five'))
    expect(held()).toEqual(['one ', 'two ', 'tri ', 'four', 'five'])
    expect(readdirSync(folder)).toEqual(['quotas-000001.log'])
  })

  test('from several files, by their numbers', async () => {
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

  test('byte-identical', async () => {
    const bytes = Uint8Array.from({ length: 70_000 }, (_, i) => (i * 31) % 251)
    await log.append(bytes)
    const blobs: Uint8Array[] = []
    openLog((blob) => blobs.push(Uint8Array.from(blob)))
    expect(blobs).toEqual([bytes])
  })

  test('an empty blob is not written', async () => {
    await log.append(new Uint8Array(0))
    expect(readdirSync(folder)).toEqual([])
  })

  test('files with other names are ignored', async () => {
    for (const name of ['quotas-000001.log.old', 'quotas-x.log', 'my-quotas-000009.log'])
      writeFileSync(join(folder, name), 'x')
    await reopen()
    await log.append(blobOf('one '))
    expect(held()).toEqual(['one '])
  })
})

describe('a blob that a crash damaged is ignored, and all others are read', () => {
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

  test('zeros after the last one', async () => {
    appendFileSync(fileOf(1), Buffer.alloc(5000))
    log = openLog()
    await log.append(blobOf('tri '))
    expect(held()).toEqual(['one ', 'two ', 'tri '])
  })
})

describe('an append that fails rejects, and the next one overwrites it', () => {
  test('the write fails', async () => {
    await log.append(blobOf('one '))
    vi.spyOn(await fileHandles(), 'datasync').mockRejectedValueOnce(new Error('EIO'))
    const tried = await Promise.allSettled([log.append(blobOf('lost')), log.append(blobOf('two '))])
    expect(tried.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
    expect(held()).toEqual(['one ', 'two '])
    await reopen()
    await log.append(blobOf('tri '))
    expect(held()).toEqual(['one ', 'two ', 'tri '])
  })

  test('the file cannot be created', async () => {
    vi.spyOn(await fileHandles(), 'sync').mockRejectedValueOnce(new Error('EIO'))
    await expect(log.append(blobOf('lost'))).rejects.toThrow('EIO')
    await log.append(blobOf('one '))
    expect(held()).toEqual(['one '])
    expect(readdirSync(folder)).toEqual(['quotas-000001.log'])
  })

  test('the folder is missing, and then exists again', async () => {
    rmSync(folder, { recursive: true })
    await expect(log.append(blobOf('lost'))).rejects.toThrow('ENOENT')
    mkdirSync(folder)
    await log.append(blobOf('one '))
    expect(held()).toEqual(['one '])
  })
})

describe('a log that has tripled is rewritten', () => {
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

  test('concurrent changes are written before the old files are removed', async () => {
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

  test('if the changes cannot be written, the old files stay until the next time', async () => {
    const failed = log.shorten(source, () => Promise.reject(new Error('the disk is full')))
    await expect(failed).rejects.toThrow('the disk is full')
    expect(held()).toEqual([...old, ...rewritten])
    await log.shorten(source, async () => {})
    expect(held()).toEqual(rewritten)
  })

  test('if the counters cannot be written, the old files stay', async () => {
    const broken: QuotaSource = {
      ...source,
      *quotas() {
        rmSync(folder, { recursive: true })
        yield* source.quotas()
      },
    }
    await expect(log.shorten(broken, async () => {})).rejects.toThrow('ENOENT')
  })

  test('the oldest file is removed first, so that a reset outlives the count that it reset', async () => {
    await log.close()
    appendFileSync(fileOf(1), 'broken')
    log = openLog()
    await log.append(blobOf('reset'))
    expect(readdirSync(folder)).toEqual(['quotas-000001.log', 'quotas-000002.log'])
    // A folder cannot be removed like a file.
    rmSync(fileOf(1))
    mkdirSync(fileOf(1))
    await expect(log.shorten(source, async () => {})).rejects.toThrow(fileOf(1))
    rmSync(fileOf(1), { recursive: true })
    expect(held()).toEqual(['rese', ...rewritten])
  })

  test('if it is stopped, the old files stay', async () => {
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
