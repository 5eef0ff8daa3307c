/**
 * The part of the store suite about records: texts with a lifetime. Of several concurrent callers, only one adds, takes
 * or removes a record.
 */
import { expect } from 'vitest'
import { freshName, type StoreCases } from './store-case.ts'

const atOnce = Array.from({ length: 10 }, (_, i) => i)

export const recordCases: StoreCases = {
  'finds nothing under a name that was never put': async ({ store: { records } }) => {
    const name = freshName('absent')
    expect(await records.get(name)).toBeUndefined()
    expect(await records.take(name)).toBeUndefined()
    expect(await records.remove(name)).toBe(false)
    expect(await records.names(name)).toEqual([])
  },
  'returns exactly the text that was put, even an empty one': async ({ store: { records } }) => {
    for (const text of ['plain', '', ' two\nlines\u0000 ', 'Zoë ✓ 😀', '{"a":1}', 'x'.repeat(100_000)]) {
      const name = freshName('text')
      await records.put(name, text)
      expect(await records.get(name)).toBe(text)
      expect(await records.take(name)).toBe(text)
    }
  },
  'separates names with any characters': async ({ store: { records } }) => {
    const stem = freshName('apart')
    const names = [stem, `${stem} `, `${stem}.a`, `${stem}*`, `${stem}ü`, `${stem}${'x'.repeat(3000)}`]
    for (const name of names) await records.put(name, `text of ${name}`)
    for (const name of names) expect(await records.get(name)).toBe(`text of ${name}`)
  },
  'replaces a text as a whole, its lifetime included': async ({ store: { records }, pass }) => {
    const [kept, shortened] = [freshName('kept'), freshName('shortened')]
    await records.put(kept, 'first', 1000)
    await records.put(kept, 'second')
    await records.put(shortened, 'first')
    await records.put(shortened, 'second', 1000)
    await pass(1100)
    expect(await records.get(kept)).toBe('second')
    expect(await records.get(shortened)).toBeUndefined()
  },
  'removes a text at the end of its lifetime, for every method': async ({ store: { records }, pass }) => {
    const stem = freshName('lifetime')
    const names = ['get', 'take', 'remove'].map((verb) => `${stem}-${verb}`) as [string, string, string]
    for (const name of names) await records.put(name, 'text', 2000)
    for (const name of names) expect(await records.get(name)).toBe('text')
    expect((await records.names(stem)).sort()).toEqual([...names].sort())
    await pass(2100)
    expect(await records.names(stem)).toEqual([])
    expect(await records.get(names[0])).toBeUndefined()
    expect(await records.take(names[1])).toBeUndefined()
    expect(await records.remove(names[2])).toBe(false)
  },
  'treats a lifetime of 0 as expired': async ({ store: { records } }) => {
    const name = freshName('over')
    await records.put(name, 'first')
    await records.put(name, 'second', 0)
    expect(await records.get(name)).toBeUndefined()
  },
  'adds only if nothing is stored under the name': async ({ store: { records }, pass }) => {
    const name = freshName('add')
    expect(await records.add(name, 'first', 2000)).toBe(true)
    expect(await records.add(name, 'second')).toBe(false)
    expect(await records.get(name)).toBe('first')
    // The rejected call did not extend the lifetime either.
    await pass(2100)
    expect(await records.get(name)).toBeUndefined()
    expect(await records.add(name, 'third')).toBe(true)
    await pass(3000)
    expect(await records.get(name)).toBe('third')
  },
  'lets exactly one of several concurrent adds succeed': async ({ store: { records } }) => {
    const name = freshName('one-adds')
    const added = await Promise.all(atOnce.map((i) => records.add(name, `text ${i}`)))
    expect(added.filter(Boolean)).toHaveLength(1)
    expect(await records.get(name)).toBe(`text ${added.indexOf(true)}`)
  },
  'returns a text to exactly one of several concurrent takes': async ({ store: { records } }) => {
    const name = freshName('one-takes')
    await records.put(name, 'text', 60_000)
    const taken = await Promise.all(atOnce.map(() => records.take(name)))
    expect(taken.filter((text) => text !== undefined)).toEqual(['text'])
    expect(await records.get(name)).toBeUndefined()
    expect(await records.add(name, 'again')).toBe(true)
  },
  'returns true to exactly one of several concurrent removals': async ({ store: { records } }) => {
    const name = freshName('one-removes')
    await records.put(name, 'text')
    const removed = await Promise.all(atOnce.map(() => records.remove(name)))
    expect(removed.filter(Boolean)).toHaveLength(1)
    expect(await records.get(name)).toBeUndefined()
  },
  'lists the names that begin with a prefix, odd characters included': async ({ store: { records } }) => {
    const stem = freshName('names')
    const names = [stem, `${stem}a`, `${stem}a*b`, `${stem}[x]?\\`, `${stem}ü`, `${stem}${'y'.repeat(3000)}`]
    for (const name of names) await records.put(name, 'text')
    expect((await records.names(stem)).sort()).toEqual([...names].sort())
    expect((await records.names(`${stem}a`)).sort()).toEqual([`${stem}a`, `${stem}a*b`])
    expect(await records.names(`${stem}[`)).toEqual([`${stem}[x]?\\`])
  },
  'has on disk what it acknowledged, and only that, after a crash': async ({ store, pass, reopen }) => {
    if (reopen === undefined) return
    const { records } = store
    const stem = freshName('crash')
    await records.put(`${stem}-put`, 'text', 60_000)
    await records.put(`${stem}-short`, 'text', 1000)
    await records.add(`${stem}-added`, 'text')
    for (const gone of ['taken', 'removed']) await records.put(`${stem}-${gone}`, 'text')
    await records.take(`${stem}-taken`)
    await records.remove(`${stem}-removed`)
    const second = await reopen()
    try {
      expect((await second.records.names(stem)).sort()).toEqual([`${stem}-added`, `${stem}-put`, `${stem}-short`])
      await pass(1100)
      expect((await second.records.names(stem)).sort()).toEqual([`${stem}-added`, `${stem}-put`])
      expect(await second.records.get(`${stem}-put`)).toBe('text')
    } finally {
      await second.close()
    }
  },
}
