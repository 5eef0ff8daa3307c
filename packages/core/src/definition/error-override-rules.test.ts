import { describe, expect, it } from 'vitest'
import { readShape } from '../lib/shape/shape.ts'
import { readErrorOverrides } from './error-override-rules.ts'
import { errorOverridesShape } from './error-overrides-shape.ts'

const read = (value: unknown) => readErrorOverrides(readShape(errorOverridesShape, value).value)
const problemsOf = (rule: object) => read({ 401: [rule] }).problems.map(({ message }) => message)

describe('error_overrides', () => {
  it('are read by status and class', () => {
    const { byStatus, problems } = read({ 401: [{ response: { status_code: 418 } }], '5xx': [{ response: {} }] })
    expect([...byStatus.keys()]).toEqual(['401', '5xx'])
    expect(byStatus.get('401')).toMatchObject([{ status: 418, flag: '', headers: [] }])
    expect(problems).toEqual([])
  })

  it('ignore keys that are neither', () => {
    const { byStatus, problems } = read({ '4x': [], '': [], '3xx': [], '4XX': [], 4011: [] })
    expect(byStatus.size).toBe(0)
    expect(problems).toHaveLength(5)
  })

  it.each([
    ['no response', {}, '"response" is missing'],
    ['an invalid expression', { match: { message_pattern: '(' }, response: {} }, '"message_pattern"'],
    ['an invalid template', { response: { body: '{{.Broken' } }, '"body" is not a template'],
    ['no status', { response: { status_code: 99 } }, '99 is not the status'],
    ['an interim status', { response: { status_code: 101 } }, '101 is not the status'],
    ['a header with a line break', { response: { headers: { 'X-A': 'a\r\nb' } } }, '"X-A" is not a header'],
    ['a header name with a blank', { response: { headers: { 'X A': 'a' } } }, '"X A" is not a header'],
  ])('ignore a rule with %s, and say so', (_, rule, text) => {
    expect(problemsOf(rule)).toEqual([expect.stringContaining(text)])
  })

  it('keep the other rules of the list', () => {
    const { byStatus } = read({ 401: [{ match: { message_pattern: '(' }, response: {} }, { response: { body: 'b' } }] })
    expect(byStatus.get('401')).toMatchObject([{ body: 'b' }])
  })
})
