import { expect, it } from 'vitest'
import { valuesOfText } from './values-of-text.ts'

it('reads values that readers can recurse through, and names others', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
  expect(valuesOfText(nested(1000), 'a.json').problem).toBeUndefined()
  expect(valuesOfText(nested(1001), 'a.json').problem).toBe('1:1 nests deeper than 1000 levels')
  expect(valuesOfText(nested(100_000), 'a.conf').problem).toBe('1:1 nests deeper than 1000 levels')
  expect(valuesOfText('a: 1\n---\nb: 2\n', 'a.yaml').values).toEqual([{ a: 1 }, { b: 2 }])
})
