import { describe, expect, it } from 'vitest'
import { flaggedCodes, flagOf } from './error-flags.ts'
import { rejections } from './rejections.ts'

describe('flags of errors', () => {
  it('belong to errors that exist', () => {
    const codes = new Set<string>(Object.values(rejections).map(({ code }) => code))
    expect(flaggedCodes.filter((code) => !codes.has(code))).toEqual([])
  })

  it('are empty for errors without one', () => {
    expect(flagOf(rejections.authMissing)).toBe('AMF')
    expect(flagOf(rejections.pathForbidden)).toBe('')
  })
})
