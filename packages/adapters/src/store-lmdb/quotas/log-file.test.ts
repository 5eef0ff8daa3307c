import { mkdtempSync, rmSync, statSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LogFile, readLogFile } from './log-file.ts'
import { fileHandles } from './testing/file-handles.ts'

const text = new TextDecoder()
const blob = (what: string) => new TextEncoder().encode(what)

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-log-file-'))
  path = join(folder, 'log')
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

function readBlobs(): { readonly blobs: string[]; readonly end: number; readonly isWhole: boolean } {
  const blobs: string[] = []
  return { ...readLogFile(path, (one) => blobs.push(text.decode(one))), blobs }
}

/** Makes the next write fail after this many bytes. */
async function cutNextWrite(after: number): Promise<void> {
  const prototype = await fileHandles()
  const { writev } = prototype
  vi.spyOn(prototype, 'writev').mockImplementationOnce(function (this: FileHandle, parts, position) {
    return writev.call(this, parts.slice(0, after * 2), position)
  })
}

test('returns the blobs as written, and the offset of their end', async () => {
  const file = await LogFile.open(path)
  expect(await file.append([blob('a'), blob('bc')])).toBe(19)
  await file.close()
  const again = await LogFile.open(path, 19)
  await again.append([blob('def')])
  await again.close()
  expect(readBlobs()).toEqual({ blobs: ['a', 'bc', 'def'], end: 30, isWhole: true })
})

test('returns none of the blobs of a failed append, and overwrites them', async () => {
  const file = await LogFile.open(path)
  await file.append([blob('a')])
  vi.spyOn(await fileHandles(), 'datasync').mockRejectedValueOnce(new Error('EIO'))
  await expect(file.append([blob('x'), blob('y'), blob('z')])).rejects.toThrow('EIO')
  expect(statSync(path).size).toBe(9)
  await file.append([blob('b')])
  await file.close()
  expect(readBlobs()).toEqual({ blobs: ['a', 'b'], end: 18, isWhole: true })
})

test('continues a partial write', async () => {
  const file = await LogFile.open(path)
  await cutNextWrite(1)
  await file.append([blob('a'), blob('bc'), blob('d')])
  await file.close()
  expect(readBlobs()).toEqual({ blobs: ['a', 'bc', 'd'], end: 28, isWhole: true })
})

test('rejects with the reason if a partial write cannot continue, and removes the part', async () => {
  const file = await LogFile.open(path)
  await cutNextWrite(1)
  vi.spyOn(await fileHandles(), 'write').mockRejectedValueOnce(new Error('ENOSPC'))
  await expect(file.append([blob('a'), blob('bc')])).rejects.toThrow('ENOSPC')
  expect(statSync(path).size).toBe(0)
  await file.append([blob('d')])
  await file.close()
  expect(readBlobs().blobs).toEqual(['d'])
})
