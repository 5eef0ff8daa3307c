import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { printJsonPath } from './json-path.ts'
import { findSyntaxProblem, locateJson, locationAt } from './locate-json.ts'

const text = `{
  "name": "a",
  "list": [1, {"b": true},
    "é\\n\\"x"],
  "deep": { "er": null }
}`

describe('locating a value', () => {
  it('returns its line and column', () => {
    expect(locateJson(text, [])).toEqual({ line: 1, column: 1 })
    expect(locateJson(text, ['name'])).toEqual({ line: 2, column: 11 })
    expect(locateJson(text, ['list', 1, 'b'])).toEqual({ line: 3, column: 21 })
    expect(locateJson(text, ['list', 2])).toEqual({ line: 4, column: 5 })
    expect(locateJson(text, ['deep', 'er'])).toEqual({ line: 5, column: 19 })
  })

  it('returns the nearest enclosing value if the path does not exist', () => {
    expect(locateJson(text, ['deep', 'missing', 'more'])).toEqual({ line: 5, column: 11 })
    expect(locateJson(text, ['nothing'])).toEqual({ line: 1, column: 1 })
  })

  it('returns the last of equal names, as JSON.parse does', () => {
    expect(locateJson('{"a": 1,\n"a": 2}', ['a'])).toEqual({ line: 2, column: 6 })
  })
})

describe('finding a syntax error', () => {
  it.each([
    ['', 0],
    ['{"a": 1,}', 8],
    ['[1 2]', 3],
    ['{a: 1}', 1],
    ['{"a" 1}', 5],
    ["['x']", 1],
    ['[1', 2],
    ['01', 1],
    ['{} x', 3],
    ['["\n"]', 1],
  ])('returns the position of the error in %j', (broken, offset) => {
    expect(findSyntaxProblem(broken)?.offset).toBe(offset)
  })

  it('agrees with JSON.parse on valid texts', () => {
    const parses = (given: string) => {
      try {
        JSON.parse(given)
        return true
      } catch {
        return false
      }
    }
    fc.assert(
      fc.property(
        fc.json(),
        fc.nat(),
        fc.constantFrom('', ',', '{', ']', '"', '\\', '0', '\u0000', 'e', ' ', '-'),
        (json, at, piece) => {
          const place = at % (json.length + 1)
          const broken = json.slice(0, place) + piece + json.slice(place + (at % 2))
          expect(findSyntaxProblem(broken) === undefined).toBe(parses(broken))
        },
      ),
      { numRuns: 1_000 },
    )
  })

  it('supports any depth and length', () => {
    expect(findSyntaxProblem('['.repeat(100_000))?.offset).toBe(100_000)
    expect(findSyntaxProblem(`"${'x\\n'.repeat(500_000)}"`)).toBeUndefined()
    expect(locateJson(`${'[{"a":'.repeat(50_000)}1`, ['x'])).toEqual({ line: 1, column: 1 })
  })
})

it('counts lines and columns from one', () => {
  expect(locationAt('a\nbc', 3)).toEqual({ line: 2, column: 2 })
  expect(locationAt('a\nbc', 1)).toEqual({ line: 1, column: 2 })
})

it('formats paths in the notation of JavaScript', () => {
  expect(printJsonPath([])).toBe('(document)')
  expect(printJsonPath(['proxy', 'target_list', 0])).toBe('proxy.target_list[0]')
  expect(printJsonPath(['versions', 'v 1', 'name'])).toBe('versions["v 1"].name')
})
