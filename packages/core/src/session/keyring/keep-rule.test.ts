import { describe, expect, test } from 'vitest'
import type { SessionOutline } from '../outline.ts'
import { KeepRule } from './keep-rule.ts'

const outline = (): SessionOutline => ({ askedAt: 0 }) as SessionOutline
const many = 4096

describe('on a store that tells outlines', () => {
  test('the first keys are kept at once, later ones when they come again soon', () => {
    const rule = new KeepRule(100_000, true)
    expect(rule.keeps('a', outline(), 1023)).toBe(true)
    const later = outline()
    expect(rule.keeps('b', later, 1024)).toBe(false)
    expect(rule.keeps('b', later, 1024)).toBe(true)
    for (let i = 0; i < many; i++) rule.keeps(`k${i}`, outline(), 1024)
    expect(rule.keeps('b', later, 1024)).toBe(false)
  })

  test('keys that are seldom found are let go of, and then only those that come again are kept', () => {
    const rule = new KeepRule(100_000, true)
    const missed = (count: number) => {
      let told = 0
      for (let i = 0; i < count; i++) {
        rule.keeps(`k${i}`, outline(), 1024)
        if (rule.isInTheWay()) told++
      }
      return told
    }
    for (let i = 0; i < many / 4; i++) rule.noteFound()
    expect(missed(many)).toBe(0)
    expect(rule.keeps('a', outline(), 0)).toBe(true)
    for (let i = 0; i < many / 4 - 1; i++) rule.noteFound()
    expect(missed(many)).toBe(1)
    const key = outline()
    expect([rule.keeps('b', key, 0), rule.keeps('b', key, 0)]).toEqual([false, true])
    rule.renew()
    expect(rule.keeps('c', outline(), 0)).toBe(true)
  })

  test('an outline without room for a number is remembered by its name', () => {
    const rule = new KeepRule(100_000, true)
    const plain = {} as SessionOutline
    expect([rule.keeps('a', plain, 1024), rule.keeps('a', plain, 1024)]).toEqual([false, true])
  })
})

test('on another store what is kept is never let go of', () => {
  const rule = new KeepRule(100_000, false)
  for (let i = 0; i < 3 * many; i++) {
    rule.keeps(`k${i}`, {} as SessionOutline, 2000)
    expect(rule.isInTheWay()).toBe(false)
  }
})
