import { test } from '@fast-check/vitest'
import fc from 'fast-check'
import { expect } from 'vitest'
import { parseRelativeUrl } from './confine-to-api.ts'

const piece = fc.constantFrom(
  '..',
  '.',
  '/',
  '//',
  '%2e',
  '%2E%2e',
  '%2f',
  '\\',
  'a',
  'other',
  'http:',
  '?',
  '#',
  ' ',
  '%',
)
const wild = fc.oneof(
  fc.array(piece, { maxLength: 12 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary' }),
)

test.prop([wild, fc.boolean()])(
  'no relative URL makes a path with dot segments or with a leading slash',
  (url, keep) => {
    const target = parseRelativeUrl(url, keep)
    if (target === undefined) return
    expect(target.path.startsWith('/')).toBe(false)
    for (const segment of target.path.split('/')) expect(segment).not.toMatch(/^(?:\.|%2e){1,2}$/i)
  },
)

test.prop([wild, fc.boolean()])(
  'the result is valid in a request line, and confining it again does not change it',
  (url, keep) => {
    const target = parseRelativeUrl(url, keep)
    if (target === undefined) return
    expect(`${target.path}?${target.query}`).toMatch(/^[!-~]*$/)
    const again = parseRelativeUrl(target.query === '' ? target.path : `${target.path}?${target.query}`, keep)
    expect(again).toEqual(target)
  },
)

test.prop([fc.stringMatching(/^[\w.~/?=&:%-]{0,20}$/), fc.boolean()])(
  'a usual URL is read as one with a fragment behind it, which is cut off',
  (url, keep) => {
    expect(parseRelativeUrl(url, keep)).toEqual(parseRelativeUrl(`${url}#f`, keep))
  },
)
