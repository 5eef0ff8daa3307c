import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseExpiry } from './version-expiry.ts'

it('agrees with the calendar of `Date`', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }), (date) => {
      const minute = Math.floor(date.getTime() / 60_000) * 60_000
      expect(parseExpiry(new Date(minute).toISOString().slice(0, 16).replace('T', ' '))).toBe(minute)
    }),
  )
})

it.each(['2095-13-01 10:00', '2095-02-29 10:00', '2095-01-01', '2095-01-01 24:00', '2095-01-01T10:00', 'never', ' '])(
  'counts %j as expired',
  (text) => {
    expect(parseExpiry(text)).toBe(0)
  },
)

it.each(['', '-1'])('reads %j as never', (text) => {
  expect(parseExpiry(text)).toBeUndefined()
})
