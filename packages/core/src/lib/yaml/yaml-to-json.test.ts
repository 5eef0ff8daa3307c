import { describe, expect, it } from 'vitest'
import { locateJson } from '../shape/locate-json.ts'
import { yamlToJson } from './yaml-to-json.ts'

const valuesOf = (text: string) => {
  const read = yamlToJson(text)
  if (read.problem !== undefined) throw new Error(JSON.stringify(read.problem))
  return read.documents.map((json) => JSON.parse(json))
}
const problemOf = (text: string) => yamlToJson(text).problem

describe('yamlToJson', () => {
  it('reads maps, lists, block texts and scalars of the core schema', () => {
    const text = 'a: 1\nb: [x, "1", true, ~, 0x10, .5, 1e3, 007]\nc: |\n  two\n  lines\nd: {}\ne:\n'
    expect(valuesOf(text)).toEqual([
      { a: 1, b: ['x', '1', true, null, 16, 0.5, 1000, 7], c: 'two\nlines\n', d: {}, e: null },
    ])
  })

  it('reads each document of a text', () => {
    expect(valuesOf('a: 1\n---\n- b\n---\n')).toEqual([{ a: 1 }, ['b'], null])
    expect(valuesOf('# nothing\n')).toEqual([])
  })

  it('keeps the line of each value, and the column where the text has room', () => {
    const [json = ''] = yamlToJson('# note\nname: Orders\nproxy:\n  listen_path: /orders/\n').documents ?? []
    expect(locateJson(json, ['name'])).toEqual({ line: 2, column: 9 })
    expect(locateJson(json, ['proxy', 'listen_path'])).toEqual({ line: 4, column: 18 })
    const [, second = ''] = yamlToJson('a: 1\n---\nb:\n  c: 2\n').documents ?? []
    expect(locateJson(second, ['b', 'c']).line).toBe(4)
  })

  it('takes members that OpenAPI defines as text as they are written', () => {
    expect(valuesOf('openapi: 3.0\ninfo: {title: 7, version: 1.0}\nx: {version: 1.0}\n')).toEqual([
      { openapi: '3.0', info: { title: '7', version: '1.0' }, x: { version: 1 } },
    ])
  })

  it('applies aliases and merge keys; members of the map win', () => {
    const text = 'a: &a {x: 1, y: 2}\nb: *a\nc:\n  <<: *a\n  y: 3\nd:\n  <<: [*a, {x: 9, z: 4}]\n'
    const [{ b, c, d }] = valuesOf(text)
    expect([b, c, d]).toEqual([
      { x: 1, y: 2 },
      { x: 1, y: 3 },
      { x: 1, y: 2, z: 4 },
    ])
  })

  it.each([
    ['a: [1\nb: 2\n', { line: 2, column: 1 }],
    ['a: 1\na: 2\n', { line: 2, column: 1, message: 'has the member "a" twice' }],
    ['a: *none\n', { line: 1, message: 'names the anchor "none", which does not exist' }],
    ['a: &a [*a]\n', { line: 1, message: 'names the anchor "a", which does not exist' }],
    ['? [x]\n: 1\n', { message: 'has a name that is a list or a map' }],
    ['b:\n  <<: 1\n', { line: 2, message: 'merges (<<) a value that is not a map' }],
  ])('reports the position of a problem: %j', (text, problem) => {
    expect(problemOf(text)).toMatchObject(problem)
  })

  it('limits what aliases add', () => {
    const bomb = ['a: &a0 [x, x, x, x, x, x, x, x, x]']
    for (let i = 1; i < 12; i++)
      bomb.push(
        `b${i}: &a${i} [${Array(9)
          .fill(`*a${i - 1}`)
          .join(', ')}]`,
      )
    // CPU time, because other tests may have the core in between.
    const started = process.cpuUsage()
    expect(problemOf(bomb.join('\n'))?.message).toMatch(/aliases/)
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(2000)
    const merges = ['a0: &a0 {x: 1}']
    for (let i = 1; i < 30; i++) merges.push(`a${i}: &a${i}`, `  <<: [*a${i - 1}, *a${i - 1}]`)
    expect(problemOf(merges.join('\n'))?.message).toMatch(/aliases/)
  })

  it('limits nesting', () => {
    expect(problemOf('['.repeat(5000))?.message).toBeDefined()
  })
})
