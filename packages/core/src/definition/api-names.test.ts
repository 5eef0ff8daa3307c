import { describe, expect, it } from 'vitest'
import { makeApiNames } from './api-names.ts'

const apis = [
  { id: 'a1', name: 'Orders API' },
  { id: 'b2', name: 'a1' },
  { id: 'c3', name: 'orders-api' },
]
const find = makeApiNames(apis, (api) => api)

describe('an API that a rewrite names', () => {
  it.each([
    ['a1', 'a1'],
    ['A1', 'a1'],
    ['orders api', 'a1'],
    ['ORDERS%API', 'a1'],
    ['b2', 'b2'],
  ])('%s is %s', (name, id) => {
    expect(find(name)?.id).toBe(id)
  })

  it('is not found by a part of its name or an empty name', () => {
    expect(find('orders')).toBeUndefined()
    expect(find('')).toBeUndefined()
  })
})
