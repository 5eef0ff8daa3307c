import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { decodeBase64Url } from './base64url.ts'

describe('base64 for URLs', () => {
  test.prop([fc.uint8Array({ maxLength: 40 })])('gives back the bytes that were written', (bytes) => {
    expect(decodeBase64Url(Buffer.from(bytes).toString('base64url'))).toEqual(bytes)
  })

  test.prop([fc.string({ maxLength: 12, unit: fc.constantFrom(...'AQgw-_9z=+/.\u00e9') })])(
    'has one written form only',
    (text) => {
      const bytes = decodeBase64Url(text)
      if (bytes !== undefined) expect(Buffer.from(bytes).toString('base64url')).toBe(text)
    },
  )
})
