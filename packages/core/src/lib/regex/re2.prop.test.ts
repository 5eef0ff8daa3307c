import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileRe2 } from './re2.ts'

const { pattern } = fc.letrec<{ pattern: string; sequence: string; part: string }>((tie) => ({
  pattern: fc.array(tie('sequence'), { minLength: 1, maxLength: 3 }).map((options) => options.join('|')),
  sequence: fc.array(tie('part'), { maxLength: 4 }).map((parts) => parts.join('')),
  part: fc
    .tuple(
      fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.constantFrom(
          'a',
          'b',
          '/',
          '.',
          'é',
          'k',
          'S',
          '\\.',
          '\\d',
          '\\w',
          '\\s',
          '\\S',
          '\\b',
          '^',
          '$',
          '-',
          '{',
          '😀',
        ),
        fc.constantFrom('[ab]', '[^/]', '[a-c/]', '[^a-z0-9]', '[]a]', '[\\d-]', '[^\\n]', '\\x61', '[é-ü]'),
        tie('pattern').map((inner) => `(${inner})`),
        tie('pattern').map((inner) => `(?:${inner})`),
      ),
      fc.constantFrom('', '', '', '*', '+', '?', '*?', '+?', '??', '{2}', '{1,3}', '{2,}'),
    )
    .map(([atom, sign]) => atom + sign),
}))

const input = fc
  .array(
    fc.constantFrom(
      'a',
      'b',
      'c',
      'A',
      'k',
      'K',
      '\u212a',
      's',
      'S',
      'ſ',
      '/',
      '1',
      '.',
      ' ',
      '\n',
      '\r',
      'é',
      'É',
      '😀',
      '-',
      '{',
    ),
    {
      maxLength: 12,
    },
  )
  .map((chars) => chars.join(''))

describe('a pattern', () => {
  it('has a `test` that agrees with `exec`', () => {
    fc.assert(
      fc.property(
        pattern,
        fc.boolean(),
        fc.array(input, { minLength: 5, maxLength: 10 }),
        (source, ignoreCase, texts) => {
          const made = compileRe2(source, { ignoreCase })
          fc.pre(made.problem === undefined)
          for (const text of texts) expect(made.test(text)).toBe(made.exec(text) !== undefined)
        },
      ),
      { numRuns: 3_000 },
    )
  })

  it('takes linear time on inputs that make backtracking engines slow', () => {
    fc.assert(
      fc.property(pattern, fc.constantFrom('a', 'b', '/', 'ab', 'a/', '1', 'k'), (source, piece) => {
        const made = compileRe2(source)
        if (made.problem !== undefined) return
        for (const length of [60, 900, 5_000]) {
          const started = performance.now()
          made.test(`${piece.repeat(length / piece.length)}\u0000`)
          expect(performance.now() - started).toBeLessThan(10_000)
        }
      }),
      { numRuns: 400 },
    )
  })
})
