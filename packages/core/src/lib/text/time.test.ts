import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { formatRfc3339, unixSeconds } from './time.ts'

describe('times as texts', () => {
  it('writes a leap day with milliseconds', () => {
    expect(formatRfc3339(Date.UTC(2024, 1, 29, 23, 59, 59, 7))).toBe('2024-02-29T23:59:59.007Z')
  })
  it('cuts seconds', () => {
    expect(unixSeconds(1999)).toBe(1)
  })
  test.prop([fc.date({ min: new Date('1900-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })])(
    'agrees with the platform',
    (date) => {
      expect(formatRfc3339(date.getTime())).toBe(date.toISOString())
    },
  )
})
