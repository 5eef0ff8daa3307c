import { fc, test } from '@fast-check/vitest'
import { expect } from 'vitest'
import { headerName } from './header-names.ts'

const token = fc.stringMatching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,40}$/)
const usual = fc.constantFrom(
  'Content-Type',
  'content-length',
  'SET-COOKIE',
  'Etag',
  'X-Request-ID',
  'Connection',
  'Date',
)

test.prop([fc.oneof(token, usual)])('headerName returns the decoded name in lower case', (name) => {
  expect(headerName(Buffer.from(name, 'latin1'))).toBe(name.toLowerCase())
})

test.prop([usual, fc.nat(), fc.integer({ min: 0, max: 255 })])(
  'a name with one changed byte is not mistaken for the original',
  (name, at, byte) => {
    const bytes = Buffer.from(name, 'latin1')
    bytes[at % bytes.length] = byte
    expect(headerName(bytes)).toBe(bytes.toString('latin1').toLowerCase())
  },
)
