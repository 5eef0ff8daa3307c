import { describe, expect, it } from 'vitest'
import { apiNames, findApis } from './find-apis.ts'

const apis = [
  { id: 'a1', name: 'Orders' },
  { id: 'a2', name: 'Status' },
  { id: 'a3', name: 'Status' },
  { id: 'Orders2', name: '' },
]

describe('the APIs that a user names', () => {
  it('are found by ID and by name', () => {
    expect(findApis(apis, ['a2', 'Orders'])).toEqual({ ids: ['a2', 'a1'] })
  })

  it('are reported if they do not exist, with the nearest name', () => {
    expect(findApis(apis, ['a1', 'Order'])).toEqual({ problem: 'there is no API "Order"; did you mean "Orders"?' })
    expect(findApis(apis, ['something'])).toEqual({
      problem: 'there is no API "something"; there are a1, a2, a3, Orders2',
    })
    expect(findApis([], ['x'])).toEqual({ problem: 'there is no API "x"; no API is loaded' })
  })

  it('are reported if several have the name', () => {
    expect(findApis(apis, ['Status'])).toEqual({ problem: '2 APIs have the name "Status"; use an ID: a2, a3' })
  })

  it('are shown by name, with the ID where names are equal', () => {
    expect(apis.map(apiNames(apis))).toEqual(['Orders', 'Status (a2)', 'Status (a3)', 'Orders2'])
  })
})
