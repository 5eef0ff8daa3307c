import { describe, expect, it } from 'vitest'
import { identityOf } from './identity-claim.ts'

describe('whose token it is', () => {
  it('tells the first of the fields that is there, else the subject', () => {
    expect(identityOf({ b: 'two', c: 'three' }, ['a', 'b', 'c'])).toEqual({ kind: 'identity', value: 'two' })
    expect(identityOf({ sub: 'subject' }, ['a', 'b'])).toEqual({ kind: 'identity', value: 'subject' })
    expect(identityOf({}, ['a'])).toEqual({ kind: 'missing' })
  })

  it('does not pass over a field that is there and empty', () => {
    expect(identityOf({ b: '', sub: 'subject' }, ['a', 'b'])).toEqual({ kind: 'empty-field', field: 'b' })
    expect(identityOf({ sub: '' }, ['a'])).toEqual({ kind: 'empty-subject' })
  })
})
