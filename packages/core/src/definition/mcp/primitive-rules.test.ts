import { describe, expect, it } from 'vitest'
import { compileName } from './primitive-rules.ts'

const loose = { ignoreCase: false, whole: false }
const matches = (written: string, name: string, matching = loose) => compileName(written, matching)(name)

describe('a name in a rule', () => {
  it.each([
    ['get', 'get', true],
    ['get', 'getter', true],
    ['get', 'forget', false],
    ['get', 'Get', false],
    ['file:///repo/*', 'file:///repo/a/b', true],
    ['file:///repo/*', 'file:///repo/', true],
    ['file:///repo/*', 'file:///rep', false],
    ['db://rows?all=1', 'db://rows?all=1', true],
    ['user://{id}/mail', 'user://7/mail', true],
    ['user://{id}/mail', 'user://{id}/mail', true],
    ['a|b', 'xb', false],
    ['get-(', 'get-(', true],
    ['get-(', 'get-', false],
  ])('%s matches %s: %s', (written, name, hit) => {
    expect(matches(written, name)).toBe(hit)
  })

  it('matches whole names only, if paths must match to their end', () => {
    const whole = { ...loose, whole: true }
    expect([matches('get', 'get', whole), matches('get', 'getter', whole)]).toEqual([true, false])
    expect(matches('file:///*', 'file:///a', whole)).toBe(true)
  })

  it('ignores case, if paths do', () => {
    expect(matches('get', 'GETTER', { ...loose, ignoreCase: true })).toBe(true)
  })
})
