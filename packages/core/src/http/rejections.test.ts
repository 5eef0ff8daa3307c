import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { rejections } from './rejections.ts'

const page = readFileSync(join(import.meta.dirname, '../../../../docs/errors.md'), 'utf8')
const rows = [...page.matchAll(/^\| `([\w-]+)` \| (\d{3}) \| (.+?) \| (\w+) \|/gm)].map(
  ([, code, status, message, source]) => ({
    code,
    status: Number(status),
    message,
    source,
  }),
)

describe('the table of errors', () => {
  it('equals the table in docs/errors.md', () => {
    const inCode = Object.values(rejections).map(({ code, status, message, source }) => ({
      code,
      status,
      message: message.trimEnd(),
      source,
    }))
    const byCode = (a: { code: string | undefined }, b: { code: string | undefined }) =>
      (a.code ?? '').localeCompare(b.code ?? '')
    expect(rows.toSorted(byCode)).toEqual(inCode.toSorted(byCode))
  })

  it('has no duplicate codes', () => {
    const codes = Object.values(rejections).map(({ code }) => code)
    expect(new Set(codes).size).toBe(codes.length)
  })
})
