import { describe, expect, it } from 'vitest'
import { cookieOf } from './headers.ts'

describe('cookies', () => {
  it('are found by their complete name, without quotes; the first one of a name applies', () => {
    const headers = ['cookie', 'xsess=1; sess="q"; sess=2']
    expect(cookieOf(headers, 'sess')).toBe('q')
    expect(cookieOf(headers, 'other')).toBe('')
  })
})
