import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodePercent } from './percent.ts'
import { mapPercent } from './percent-map.ts'

const piece = fc.constantFrom('a', '/', '?', '%2f', '%2F', '%20', '%c3%a9', '%f0%9f%98%80', '%ff', '%zz', '%', '%41')

describe('a decoded text with its original', () => {
  it('decodes as decodePercent does, and each part decodes from its original', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.nat(20), fc.nat(20), (pieces, a, b) => {
        const raw = pieces.join('')
        const { text, rawOf } = mapPercent(raw)
        expect(text).toBe(decodePercent(raw))
        expect(rawOf(0, text.length).toLowerCase()).toBe(raw.toLowerCase())
        const [start, end] = [Math.min(a, b, text.length), Math.min(Math.max(a, b), text.length)]
        // In a run that is not UTF-8 the escapes of single characters stay, although they could be decoded on their own.
        fc.pre(!raw.includes('%ff'))
        // A surrogate pair is one character.
        fc.pre(text.slice(0, start).isWellFormed() && text.slice(0, end).isWellFormed())
        expect(decodePercent(rawOf(start, end)).toLowerCase()).toBe(text.slice(start, end).toLowerCase())
      }),
    )
  })
})
