import { spawn } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { sessionShape } from '@turnpike/core/ports'
import { consumeQuota } from '@turnpike/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { asUnprivileged } from '../testing/as-unprivileged.ts'
import { DataFolderProblem, makeLmdbStore } from './store-lmdb.ts'

let folder: string
let data: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-folder-'))
  data = join(folder, 'data')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const lockFile = () => join(data, 'turnpike.lock')

async function problemOf(path: string): Promise<DataFolderProblem> {
  const error = await makeLmdbStore({ path }).then(
    (store) => store.close(),
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(DataFolderProblem)
  return error as DataFolderProblem
}

describe('the error of an unusable data folder has its path and a fix', () => {
  test('if its path is a file', async () => {
    writeFileSync(data, 'a file')
    const { message } = await problemOf(data)
    expect(message).toContain(data)
    expect(message).toMatch(/is a file, not a folder.*"data_path"/)
  })

  test('if its path contains a file', async () => {
    writeFileSync(data, 'a file')
    expect((await problemOf(join(data, 'below'))).message).toMatch(/is a file, not a folder/)
  })

  test('if it is not writable', async () => {
    mkdirSync(data, { mode: 0o555 })
    chmodSync(folder, 0o755)
    const { message } = await asUnprivileged(() => problemOf(data))
    expect(message).toMatch(/no permission to write/)
  })

  test.each([
    ['text', Buffer.from('this is not a database '.repeat(1000))],
    ['a single byte', Buffer.from('x')],
    ['zeros', Buffer.alloc(100_000)],
  ])('if it contains a file that is not a database: %s', async (_, bytes) => {
    mkdirSync(data)
    writeFileSync(join(data, 'data.mdb'), bytes)
    const { message } = await problemOf(data)
    expect(message).toContain(data)
    expect(message).toMatch(/not an LMDB database.*move .*data\.mdb away/)
    expect(readdirSync(data)).not.toContain('turnpike.lock')
  })

  test('if its database is truncated', async () => {
    const store = await makeLmdbStore({ path: data })
    const puts = Array.from({ length: 2000 }, (_, i) => store.sessions.put(`key-${i}`, sessionShape.zero()))
    await Promise.all(puts)
    await store.close()
    const file = join(data, 'data.mdb')
    for (const part of [0.5, 0.02]) {
      truncateSync(file, Math.floor(statSync(file).size * part))
      expect((await problemOf(data)).message).toMatch(/it is truncated to|does not start with a meta page/)
    }
  })

  test('if pages of its database are overwritten', async () => {
    const store = await makeLmdbStore({ path: data })
    const puts = Array.from({ length: 2000 }, (_, i) => store.records.put(`record-${i}`, 'x'.repeat(500)))
    await Promise.all(puts)
    await store.close()
    const file = join(data, 'data.mdb')
    const bytes = readFileSync(file)
    bytes.fill(0xa5, 2 * 4096)
    writeFileSync(file, bytes)
    expect((await problemOf(data)).message).toMatch(/not an LMDB database.*move .*data\.mdb away/)
  })

  test('if its quota log cannot be read', async () => {
    const log = join(data, 'quotas-000001.log')
    mkdirSync(log, { recursive: true })
    const { message } = await problemOf(data)
    expect(message).toContain(data)
    expect(message).toMatch(/cannot be opened: EISDIR/)
    rmSync(log, { recursive: true })
    await (await makeLmdbStore({ path: data })).close()
  })

  test('if it is open in this process', async () => {
    const store = await makeLmdbStore({ path: data })
    expect((await problemOf(data)).message).toMatch(/already open in this process/)
    await store.close()
    await (await makeLmdbStore({ path: data })).close()
  })

  test('if it is in use by a live process', async () => {
    const other = spawn('sleep', ['60'])
    try {
      mkdirSync(data)
      const { pid } = other
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const bornAt = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
      writeFileSync(lockFile(), JSON.stringify({ pid, bornAt, host: hostname() }))
      expect((await problemOf(data)).message).toMatch(new RegExp(`in use by process ${pid}: stop it`))
    } finally {
      other.kill()
    }
  })

  test('if it is in use on another host', async () => {
    mkdirSync(data)
    writeFileSync(lockFile(), JSON.stringify({ pid: 1, bornAt: '1', host: 'elsewhere' }))
    expect((await problemOf(data)).message).toMatch(/on host elsewhere/)
  })
})

describe('other users cannot read', () => {
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

  test('the files of a new store, nor its folder', async () => {
    const umask = process.umask(0)
    try {
      const store = await makeLmdbStore({ path: data })
      await store.sessions.put('key', sessionShape.zero())
      await consumeQuota(store.counters, 'quota', { max: 10, renewalSeconds: 3600 }, 1)
      const names = ['data.mdb', 'lock.mdb', 'quotas-000001.log', 'turnpike.lock']
      await expect.poll(() => readdirSync(data).toSorted()).toEqual(names)
      expect(modeOf(data)).toBe('700')
      expect(names.map((name) => modeOf(join(data, name)))).toEqual(['600', '600', '600', '600'])
      await store.close()
    } finally {
      process.umask(umask)
    }
  })

  test('the database of a store that an older version made readable', async () => {
    await (await makeLmdbStore({ path: data })).close()
    chmodSync(join(data, 'data.mdb'), 0o644)
    const store = await makeLmdbStore({ path: data })
    expect(modeOf(join(data, 'data.mdb'))).toBe('600')
    await store.close()
  })
})

describe('the lock of a dead process is taken over', () => {
  test.each([
    ['an unused pid', { pid: 4_194_303, bornAt: '1', host: hostname() }],
    ['a pid that another process uses now', { pid: 1, bornAt: 'long ago', host: hostname() }],
    ['our own pid in an earlier namespace', { pid: process.pid, bornAt: 'long ago', host: hostname() }],
  ])('%s', async (_, holder) => {
    mkdirSync(data)
    writeFileSync(lockFile(), JSON.stringify(holder))
    await (await makeLmdbStore({ path: data })).close()
    expect(readdirSync(data)).not.toContain('turnpike.lock')
  })

  test('an incomplete lock file', async () => {
    mkdirSync(data)
    writeFileSync(lockFile(), '{"pid":12')
    await (await makeLmdbStore({ path: data })).close()
  })
})
