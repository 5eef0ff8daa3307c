import { describe, expect, it } from 'vitest'
import { parseTargetUrl, type TargetUrl } from '../../definition/target-url.ts'
import { defaultBody } from './default-body.ts'
import { hookDedupKey } from './hook-dedup-key.ts'

describe('the dedup key of a sent web hook', () => {
  it('equals the key of other nodes for the same event', () => {
    const body = defaultBody({
      name: 'AuthFailure',
      api: undefined,
      at: 0,
      facts: {
        about: 'request',
        message: 'Auth Failure',
        path: '/w1/x',
        origin: '127.0.0.1',
        key: 'nope-key',
        keyLogName: '',
        reason: '',
        originatingRequest: () => '',
      },
    })
    const target = parseTargetUrl('http://127.0.0.1:42773/hook?a=1') as TargetUrl
    expect(hookDedupKey('POST', target, body)).toBe('webhook.cache.4112631ae4f3a8188b0d802d9d821e36')
  })
})
