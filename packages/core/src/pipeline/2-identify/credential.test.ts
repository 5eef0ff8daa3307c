import { describe, expect, it } from 'vitest'
import { requestOf } from '../../../test/support/test-engine.ts'
import { readCredential, withoutBearer } from './credential.ts'

const places = { header: 'x-key', param: 'tok', cookie: 'sess' }

describe('the source of a credential', () => {
  it('a cookie outranks a parameter, and a parameter outranks the header', () => {
    const headers = { 'x-key': 'in-header', cookie: 'a=b; sess=in-cookie' }
    expect(readCredential(requestOf('GET', '/?tok=in-param', headers), places)).toBe('in-cookie')
    expect(readCredential(requestOf('GET', '/?tok=in-param', { 'x-key': 'in-header' }), places)).toBe('in-param')
    expect(readCredential(requestOf('GET', '/', { 'x-key': 'in-header' }), places)).toBe('in-header')
  })

  it('an empty cookie or parameter is ignored', () => {
    const headers = { 'x-key': 'in-header', cookie: 'sess=' }
    expect(readCredential(requestOf('GET', '/?tok=', headers), places)).toBe('in-header')
  })

  it('a disabled source is ignored', () => {
    const none = { header: undefined, param: undefined, cookie: undefined }
    expect(readCredential(requestOf('GET', '/?tok=1', { 'x-key': '2', cookie: 'sess=3' }), none)).toBe('')
  })
})

describe('the Bearer prefix', () => {
  it.each([
    ['Bearer abc', 'abc'],
    ['bEARER abc', 'abc'],
    ['Bearer Bearer abc', 'Bearer abc'],
    ['Token abc', 'Token abc'],
    ['Bearerabc', 'Bearerabc'],
    ['Bearer ', ''],
    ['bear', 'bear'],
  ])('%s', (sent, key) => {
    expect(withoutBearer(sent)).toBe(key)
  })
})
