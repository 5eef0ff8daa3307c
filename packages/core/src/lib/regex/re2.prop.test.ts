import fc from 'fast-check'
import { RE2JS } from 're2js'
import { describe, expect, it } from 'vitest'
import { compileRe2 } from './re2.ts'
import { translateRe2 } from './re2-safe.ts'

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

function byRe2(pattern: string, ignoreCase: boolean, text: string) {
  const matcher = RE2JS.compile(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0).matcher(text)
  if (!matcher.find()) return undefined
  const groups = Array.from({ length: matcher.groupCount() + 1 }, (_, i) => matcher.group(i) ?? undefined)
  return { index: matcher.start(), groups }
}

describe('a translated pattern', () => {
  it('finds what the linear engine finds', () => {
    fc.assert(
      fc.property(
        pattern,
        fc.boolean(),
        fc.array(input, { minLength: 5, maxLength: 10 }),
        (source, ignoreCase, texts) => {
          fc.pre(translateRe2(source, ignoreCase) !== undefined)
          const made = compileRe2(source, { ignoreCase })
          if (made.problem !== undefined) throw new Error(made.problem)
          for (const text of texts) {
            const found = made.exec(text)
            expect(found && { index: found.index, groups: [...found.groups] }).toEqual(byRe2(source, ignoreCase, text))
            expect(made.test(text)).toBe(found !== undefined)
          }
        },
      ),
      { numRuns: 3_000, maxSkipsPerRun: 1_000 },
    )
  })

  it('takes no longer than its degree promises, on inputs made to hurt', () => {
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
