import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { hasRepeatedMember, readUnambiguousJson } from './unambiguous-json.ts'
import { utf8Bytes } from './utf8.ts'

const json = 'application/json'
const problemOf = (text: string | Uint8Array, headers: string[] = ['content-type', json]) =>
  readUnambiguousJson(headers, typeof text === 'string' ? utf8Bytes(text) : text).problem

describe('JSON that every parser reads alike', () => {
  it.each([
    ['{"a":1,"b":[{"a":1},{"a":":"}]}', json],
    ['{"a":"\ufffd é \\u00e9"}', 'application/json; charset=UTF-8'],
    ['{"__proto__":1,"a":{"__proto__":{}}}', 'application/json;charset="utf-8"'],
    ['":"', json],
  ])('%s as %s is read', (text, type) => {
    expect(readUnambiguousJson(['content-type', type], utf8Bytes(text))).toMatchObject({ value: JSON.parse(text) })
  })

  it.each([
    ['', 'EOF'],
    ['{', expect.stringContaining('JSON')],
    ['{"a":1,"a":1}', expect.stringContaining('twice')],
    ['{"a":1,"\\u0061":2}', expect.stringContaining('twice')],
    ['[{"x":{"__proto__":1,"__proto__":2}}]', expect.stringContaining('twice')],
    ['\ufeff{}', expect.stringContaining('byte order mark')],
    [new Uint8Array([0x22, 0xc3, 0x22]), expect.stringContaining('UTF-8')],
  ])('%j is rejected', (text, problem) => {
    expect(problemOf(text)).toEqual(problem)
  })

  it.each([
    [['content-type', 'application/json; charset=utf-16']],
    [['content-type', json, 'content-type', 'application/json; charset="utf-7"']],
    [['content-type', json, 'content-encoding', 'gzip']],
    [['content-type', json, 'content-encoding', 'identity', 'content-encoding', 'deflate']],
  ])('with %j is rejected', (headers) => {
    expect(problemOf('{}', headers)).toMatch(/charset|coding/)
  })
})

test.prop([fc.json({ maxDepth: 4 })])('what JSON.stringify writes has no member twice', (text) => {
  expect(hasRepeatedMember(text, JSON.parse(text))).toBe(false)
})
