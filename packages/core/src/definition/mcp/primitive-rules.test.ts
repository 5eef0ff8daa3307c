import { describe, expect, it } from 'vitest'
import { compileName } from './primitive-rules.ts'

const loose = { ignoreCase: false, whole: false }
const fits = (written: string, name: string, matching = loose) => compileName(written, matching)(name)

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
  ])('%s hits %s: %s', (written, name, hit) => {
    expect(fits(written, name)).toBe(hit)
  })

  it('hits whole names only, where paths are matched to their end', () => {
    const whole = { ...loose, whole: true }
    expect([fits('get', 'get', whole), fits('get', 'getter', whole)]).toEqual([true, false])
    expect(fits('file:///*', 'file:///a', whole)).toBe(true)
  })

  it('hits in any case, where paths do', () => {
    expect(fits('get', 'GETTER', { ...loose, ignoreCase: true })).toBe(true)
  })
})
