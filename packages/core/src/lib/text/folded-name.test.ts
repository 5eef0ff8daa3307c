import { expect, it, vi } from 'vitest'
import { foldsToOneOf } from './folded-name.ts'

const names = new Set(['query', 'operationname'])

it.each([
  ['query', true],
  ['Query', true],
  ['operationName', true],
  ['ｑuery', true],
  ['queries', false],
])('%s can be taken for one of the names: %s', (name, expected) => {
  expect(foldsToOneOf(name, names)).toBe(expected)
})

it('folds no name that is much longer than all of these', () => {
  const normalize = vi.spyOn(String.prototype, 'normalize')
  expect(foldsToOneOf('\u0344'.repeat(1_000_000), names)).toBe(false)
  expect(normalize).not.toHaveBeenCalled()
  normalize.mockRestore()
})
