import { describe, expect, it } from 'vitest'
import { makeNormalisePath } from './normalise-path.ts'

const all = { uuids: true, ulids: true, numbers: true, custom: [] }

describe('normalise_urls', () => {
  const normalise = makeNormalisePath(all, () => {})

  it.each([
    ['/users/3f2504e0-4f89-41d3-9a0c-0305e82c3301/x', '/users/{uuid}/x'],
    ['/orders/01ARZ3NDEKTSV4RRFFQ69G5FAV', '/orders/{ulid}'],
    ['/a/1/b/22', '/a/{id}/b/{id}'],
    ['/1/2/3', '/{id}/{id}/{id}'],
    ['/v2/x10', '/v2/x10'],
  ])('%s is %s', (path, expected) => expect(normalise(path)).toBe(expected))

  it('applies only the enabled rules', () => {
    const numbersOnly = makeNormalisePath({ ...all, uuids: false, ulids: false }, () => {})
    expect(numbersOnly('/3f2504e0-4f89-41d3-9a0c-0305e82c3301/7')).toBe('/3f2504e0-4f89-41d3-9a0c-0305e82c3301/{id}')
  })

  it('replaces every match of the configured patterns last', () => {
    const custom = makeNormalisePath({ ...all, custom: ['sku-[a-z]+', '^/tenant-[^/]+'] }, () => {})
    expect(custom('/tenant-7/sku-a/sku-b/3')).toBe('/{var}/{var}/{var}/{id}')
  })

  it('skips an invalid pattern and logs it', () => {
    const problems: string[] = []
    const broken = makeNormalisePath({ ...all, custom: ['(', 'x*'] }, (pattern) => problems.push(pattern))
    expect(broken('/yy')).toBe('/yy')
    expect(problems).toEqual(['('])
  })
})
