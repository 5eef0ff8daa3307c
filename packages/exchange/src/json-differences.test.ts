import { expect, it } from 'vitest'
import { jsonDifferences } from './json-differences.ts'

it.each([
  ['{"a":1,"b":{"c":[1,2]}}', '{"b":{"c":[1,3]},"a":1}', [['/b/c/1', '2', '3']]],
  [
    '{"a":null}',
    '{"b":"x"}',
    [
      ['/a', 'null', undefined],
      ['/b', undefined, '"x"'],
    ],
  ],
  [
    '{"a/b":1,"m~n":{}}',
    '{"a/b":2,"m~n":[]}',
    [
      ['/a~1b', '1', '2'],
      ['/m~0n', '{}', '[]'],
    ],
  ],
  ['[1,2]', '[1]', [['/1', '2', undefined]]],
  ['{"a":1,"b":2}', '{ "b": 2, "a": 1 }', []],
  ['{"a":1}', '[1]', undefined],
  ['{"a":1}', 'text', undefined],
  ['1', '2', undefined],
])('of %s and %s', (left, right, expected) => {
  const found = jsonDifferences(left, right)?.map((one) => [one.pointer, one.left, one.right])
  expect(found).toEqual(expected)
})
