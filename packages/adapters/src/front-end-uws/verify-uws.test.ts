import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { uwsHashes } from './uws-hashes.ts'
import { findUwsProblem } from './verify-uws.ts'

const binary = `dist/bin/uws_${process.platform}_${process.arch}_${process.versions.modules}.node`
const files = ['dist/index.mjs', 'dist/uws.mjs', binary]
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
const known = Object.fromEntries(files.map((file) => [file, hashOf(file)]))

function makePackage(changed?: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-uws-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'dist/bin'), { recursive: true })
  for (const file of files) writeFileSync(join(folder, file), file === changed ? 'changed' : file)
  return pathToFileURL(join(folder, 'dist/index.mjs')).href
}

test('a package whose files have the listed hashes is loaded', async () => {
  expect(await findUwsProblem(makePackage(), known)).toBeUndefined()
})

test.each(files)('a changed %s is reported with its hash', async (file) => {
  const problem = await findUwsProblem(makePackage(file), known)
  expect(problem).toContain(`${file} is not the file of uws-pack`)
  expect(problem).toContain(hashOf('changed'))
})

test('a platform without a listed binary is reported', async () => {
  expect(await findUwsProblem(makePackage(), {})).toContain(`has no ${binary}`)
})

test('the list has a SHA-256 for the binaries of Node 20 and 22 on Linux, macOS and Windows', () => {
  for (const abi of ['115', '127']) {
    for (const platform of ['linux_x64', 'linux_arm64', 'darwin_x64', 'darwin_arm64', 'win32_x64']) {
      expect(uwsHashes[`dist/bin/uws_${platform}_${abi}.node`]).toMatch(/^[0-9a-f]{64}$/)
    }
  }
})
