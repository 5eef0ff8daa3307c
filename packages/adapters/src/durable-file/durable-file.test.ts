import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { writeDurably } from './durable-file.ts'

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

it('writes files that other users cannot read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-durable-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'apps', 'a.json')
  await writeDurably(file, '{}')
  expect([modeOf(join(folder, 'apps')), modeOf(file)]).toEqual(['700', '600'])
  chmodSync(file, 0o664)
  await writeDurably(file, '{}')
  expect(modeOf(file)).toBe('660')
})
