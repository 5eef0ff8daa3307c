import { describe, expect, it } from 'vitest'
import { identityOf } from './identity-claim.ts'

describe('the identity of a token', () => {
  it('is the first configured claim that exists, or else the subject', () => {
    expect(identityOf({ b: 'two', c: 'three' }, ['a', 'b', 'c'])).toEqual({ kind: 'identity', value: 'two' })
    expect(identityOf({ sub: 'subject' }, ['a', 'b'])).toEqual({ kind: 'identity', value: 'subject' })
    expect(identityOf({}, ['a'])).toEqual({ kind: 'missing' })
  })

  it('is empty if the first existing claim is empty', () => {
    expect(identityOf({ b: '', sub: 'subject' }, ['a', 'b'])).toEqual({ kind: 'empty-field', field: 'b' })
    expect(identityOf({ sub: '' }, ['a'])).toEqual({ kind: 'empty-subject' })
  })
})
