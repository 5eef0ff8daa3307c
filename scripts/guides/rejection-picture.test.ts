/** The picture of a rejection can be drawn again from the built commands. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const textOf = (svg: string) => svg.replaceAll(/<[^>]+>/g, '')

it('draws a rejected request with the stage that rejected it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-picture-test-'))
  try {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/rejection-picture.mjs', '--to', folder], {
      cwd: root,
    })
    expect([status, stderr.toString()]).toEqual([0, expect.not.stringContaining('Error')])
    const drawn = textOf(readFileSync(join(folder, 'rejection.svg'), 'utf8'))
    expect(drawn).toMatch(/200 200 200 200 200 429/)
    expect(drawn).toMatch(/key-limits .*rejects: 429 Rate Limit Exceeded/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
