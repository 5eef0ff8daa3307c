import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { decodePercent } from '../../lib/text/percent.ts'
import { compileSegment } from './path-segment.ts'
import { compileWholePaths } from './whole-paths.ts'

const slot = (path: string, method = 'GET') => ({ path, method })
const find = (slots: readonly ReturnType<typeof slot>[], path: string, ignoreCase = false) =>
  compileWholePaths(slots, ignoreCase)({ path, request: { method: 'GET' } })?.path

describe('whole paths', () => {
  it('without parameters come first, and each method has its own', () => {
    const slots = [slot('/a/{id}'), slot('/a/all'), slot('/a/all', 'PUT')]
    expect(find(slots, '/a/all')).toBe('/a/all')
    expect(find(slots, '/a/7')).toBe('/a/{id}')
    expect([find(slots, '/a/7/'), find(slots, '/x/a/7'), find(slots, '/a')]).toEqual([undefined, undefined, undefined])
  })

  it('contain characters that have a meaning in patterns, and slashes that are escaped', () => {
    const slots = ['/a.b/{x}.{y}', '/q?/*', '/or|/{id}', '/{id}'].map((path) => slot(path))
    expect(find(slots, '/a.b/n.e')).toBe('/a.b/{x}.{y}')
    expect(find(slots, '/q%3F/*')).toBe('/q?/*')
    expect(find(slots, '/or%7C/%2Fx')).toBe('/or|/{id}')
    expect(find(slots, '/x%2Fy')).toBe('/{id}')
  })

  it('are found without comparing each path of the document', () => {
    let compared = 0
    const slots = Array.from({ length: 1_000 }, (_, i) => ({
      method: 'GET',
      get path() {
        compared++
        return `/repos/{owner}/r${i}/{id}`
      },
    }))
    const findSlot = compileWholePaths(slots, false)
    const request = { method: 'GET' }
    findSlot({ path: '/', request })
    compared = 0
    expect(findSlot({ path: '/repos/me/r7/5', request })).toBe(slots[7])
    expect(compared).toBe(1)
  })
})

const segment = fc.constantFrom('a', 'A', 'ab', '', '*', 'a|b', '{x}', '{x}.{y}', 'f-{x}', 'a?', '.')
const given = fc.constantFrom('a', 'A', 'ab', '', '*', 'a%7Cb', 'b.c', 'f-1', 'a?', '%2F', 'ẞ', '.')
const pathOf = (part: fc.Arbitrary<string>) => fc.array(part, { maxLength: 3 }).map((parts) => `/${parts.join('/')}`)

test.prop([fc.array(pathOf(segment), { minLength: 1, maxLength: 8 }), pathOf(given), fc.boolean()], { numRuns: 500 })(
  'the first path that equals is found',
  (paths, path, ignoreCase) => {
    const fold = (text: string) => (ignoreCase ? text.toLowerCase() : text)
    const parts = path.split('/').map((part) => fold(decodePercent(part)))
    const ordered = [...paths.filter((one) => !one.includes('{')), ...paths.filter((one) => one.includes('{'))]
    const wanted = ordered.find((one) => {
      const segments = fold(one.replaceAll(/\{[^{}]*\}/g, '{}')).split('/')
      return segments.length === parts.length && segments.every((text, i) => compileSegment(text)(parts[i] ?? ''))
    })
    expect(
      find(
        paths.map((one) => slot(one)),
        path,
        ignoreCase,
      ),
    ).toBe(wanted)
  },
)
