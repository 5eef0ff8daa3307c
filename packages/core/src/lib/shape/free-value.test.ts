import { expect, it } from 'vitest'
import { anyList, describedValue, wordOf } from './free-value.ts'
import { integer, list, object, readShape } from './shape.ts'

const rules = describedValue(anyList, list(object({ kind: wordOf('big', 'small'), maxSize: integer })))

it.each([
  ['fitting entries', [{ kind: 'big', max_size: 1 }], []],
  ['other words', [{ kind: 'huge' }], []],
  ['nothing', null, []],
  ['an unknown member', [{ max_sise: 1 }], ['unknown 0.max_sise max_size']],
  [
    'parts of other types',
    [7, { kind: 7, max_size: 1.5 }],
    ['inner-type 0 ', 'inner-type 1.kind ', 'inner-type 1.max_size '],
  ],
  ['another type', { kind: 'big' }, ['type  ']],
])('a described value keeps %s and reports what does not fit', (_, value, expected) => {
  const read = readShape(rules, value)
  expect(read.value).toEqual(value)
  expect(read.problems.map(({ kind, path, suggestion = '' }) => `${kind} ${path.join('.')} ${suggestion}`)).toEqual(
    expected,
  )
})

it('the schema says that the value is kept', () => {
  expect(rules.schema).toMatchObject({
    'x-as-written': true,
    items: { properties: { kind: { enum: ['big', 'small'] } } },
  })
})
