import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
// @ts-expect-error A script without types.
import { staleFiles } from './remove-stale-output.mjs'

it('finds source maps and the output of modules that no longer exist', () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-output-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const sources = ['src/index.ts', 'src/deep/part.ts']
  const output = ['index.js', 'index.d.ts', 'index.cjs', 'deep/part.js', 'bundle/chunk.js', '.tsbuildinfo']
  const stale = ['index.js.map', 'deep/part.d.ts.map', 'gone.js', 'deep/gone.d.ts']
  for (const file of [...sources, ...[...output, ...stale].map((name) => join('dist', name))]) {
    mkdirSync(join(folder, dirname(file)), { recursive: true })
    writeFileSync(join(folder, file), '')
  }
  const found: string[] = staleFiles(folder)
  expect(found.map((file) => relative(join(folder, 'dist'), file)).sort()).toEqual([...stale].sort())
})

it('a package without output has no stale files', () => {
  expect(staleFiles(join(tmpdir(), 'does-not-exist'))).toEqual([])
})
