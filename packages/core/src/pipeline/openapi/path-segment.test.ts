import { describe, expect, it } from 'vitest'
import { compileSegment, pathValueReader } from './path-segment.ts'

describe('a segment with several parameters', () => {
  it.each([
    ['{name}.{ext}', 'report.pdf', ['report', 'pdf']],
    ['{name}.{ext}', 'report.v2.pdf', ['report.v2', 'pdf']],
    ['{name}.{ext}', 'report', undefined],
    ['{name}.{ext}', '.pdf', undefined],
    ['{name}.{ext}', 'report.', undefined],
    ['v{a}-{b}:{c}!', 'v1-2:3!', ['1', '2', '3']],
    ['v{a}-{b}:{c}!', 'v1-2:3', undefined],
    ['v{a}-{b}:{c}!', 'v-2:3!', undefined],
    ['{a}{b}', 'xyz', ['xy', 'z']],
    ['{a}', '', undefined],
    ['fixed', 'fixed', []],
    ['fixed', 'other', undefined],
  ])('%s reads %s as %j', (template, segment, values) => {
    expect(compileSegment(template)(segment)).toEqual(values)
  })

  it('has a value for each of them', () => {
    const read = (name: string, path: string) => pathValueReader('/files/{name}.{ext}', name)(path)
    expect([read('name', '/files/a%2Eb.pdf'), read('ext', '/files/a.b.pdf')]).toEqual(['a.b', 'pdf'])
    expect([read('name', '/files/a'), read('ext', '/files')]).toEqual([undefined, undefined])
  })
})
