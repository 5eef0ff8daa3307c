import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hashFunctions, hashKeyName, hashText } from '../../lib/hash/hash-key-name.ts'
import { decodeBase64, encodeBase64 } from '../../lib/text/base64.ts'
import { strictUtf8Text, utf8Bytes } from '../../lib/text/utf8.ts'
import { candidateNames, makeKeyName, orgOfKeyName, storedNameOf } from './key-name.ts'

const word = fc.stringMatching(/^[A-Za-z0-9_.~-]{1,40}$/)
const hashFunction = fc.constantFrom('' as const, ...hashFunctions)

describe('names of keys', () => {
  test('with a hash function contain their organisation and are hashed with the function', () => {
    fc.assert(
      fc.property(word, word, fc.constantFrom(...hashFunctions), (org, id, fn) => {
        const name = makeKeyName(org, id, fn)
        expect(orgOfKeyName(name)).toBe(org)
        expect(hashKeyName(name)).toBe(hashText(name, fn))
      }),
    )
  })

  test('are the same for an id with and without its organisation', () => {
    fc.assert(
      fc.property(word, word, hashFunction, (org, id, fn) => {
        fc.pre(!id.startsWith(org))
        expect(makeKeyName(org, org + id, fn)).toBe(makeKeyName(org, id, fn))
      }),
    )
  })

  test('are found by the id alone and by the full name, with all settings', () => {
    const settings = fc.record({
      hashKeys: fc.boolean(),
      hashFunction,
      hashFunctionFallback: fc.array(hashFunction, { maxLength: 3 }),
      actionsByUsername: fc.constant(true),
    })
    fc.assert(
      fc.property(word, word, settings, (org, id, given) => {
        fc.pre(orgOfKeyName(id) === '' && !id.startsWith(org))
        const name = makeKeyName(org, id, given.hashFunction)
        for (const credential of [id, name]) {
          const stored = candidateNames(credential, org, given).map((it) => storedNameOf(it, given.hashKeys))
          expect(stored).toContain(storedNameOf(name, given.hashKeys))
          expect(new Set(candidateNames(credential, org, given)).size).toBe(stored.length)
        }
      }),
    )
  })
})

describe('bytes and texts', () => {
  test('survive encoding and decoding as base64 and UTF-8', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => {
        expect(decodeBase64(encodeBase64(bytes))).toEqual(bytes)
        expect(encodeBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'))
      }),
    )
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(utf8Bytes(text)).toEqual(new Uint8Array(Buffer.from(text)))
        expect(strictUtf8Text(utf8Bytes(text))).toBe(Buffer.from(text).toString())
      }),
    )
  })

  test('that are not UTF-8 are rejected like TextDecoder rejects them', () => {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    const decoded = (bytes: Uint8Array) => {
      try {
        return decoder.decode(bytes)
      } catch {
        return undefined
      }
    }
    const nearMisses = fc.array(
      fc.constantFrom(0x41, 0x80, 0xbf, 0xc0, 0xc2, 0xe0, 0xa0, 0xed, 0xf0, 0x90, 0xf4, 0xf8),
      {
        maxLength: 6,
      },
    )
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 8 }), nearMisses), (given) => {
        const bytes = Uint8Array.from(given)
        expect(strictUtf8Text(bytes)).toBe(decoded(bytes))
      }),
      { numRuns: 2000 },
    )
  })
})
