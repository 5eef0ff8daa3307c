import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LogFile, readLogFile } from './log-file.ts'

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

function told(): { readonly blobs: string[]; readonly end: number; readonly isWhole: boolean } {
  const blobs: string[] = []
  return { ...readLogFile(path, (one) => blobs.push(text.decode(one))), blobs }
}

test('blobs are told as they were written, and where they end', async () => {
  const file = await LogFile.open(path)
  expect(await file.append([blob('a'), blob('bc')])).toBe(19)
  await file.close()
  const again = await LogFile.open(path, 19)
  await again.append([blob('def')])
  await again.close()
  expect(told()).toEqual({ blobs: ['a', 'bc', 'def'], end: 30, isWhole: true })
})

test('of blobs that could not be written together none is told, whatever takes their place', async () => {
  const file = await LogFile.open(path)
  await file.append([blob('a')])
  const prototype: FileHandle = Object.getPrototypeOf(
    await open(path).then((handle) => handle.close().then(() => handle)),
  )
  vi.spyOn(prototype, 'datasync').mockRejectedValueOnce(new Error('EIO'))
  await expect(file.append([blob('x'), blob('y'), blob('z')])).rejects.toThrow('EIO')
  expect(statSync(path).size).toBe(9)
  await file.append([blob('b')])
  await file.close()
  expect(told()).toEqual({ blobs: ['a', 'b'], end: 18, isWhole: true })
})
