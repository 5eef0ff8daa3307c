import { describe, expect, it } from 'vitest'
import { definitionOf, makeTestEngine } from '../../../test/support/test-engine.ts'

describe('an API with an authentication mode that this gateway does not provide', () => {
  it.each([
    ['use_openid', 403],
    // Authentication by a script, without a script engine.
    ['custom_plugin_auth_enabled', 500],
  ])('with %s rejects every request: %d', async (field, status) => {
    const test = await makeTestEngine({ definitions: [definitionOf('a', { use_keyless: false, [field]: true })] })
    const response = await test.send('GET', '/a/x', { authorization: 'anything' })
    expect(response.status).toBe(status)
    expect(test.upstreamRequests).toEqual([])
    expect(test.logged.some(({ level, fields }) => level === 'error' && fields?.['api'] === 'a')).toBe(true)
  })

  it('rejects requests that another mode would accept', async () => {
    const modes = {
      use_keyless: false,
      use_openid: true,
      use_standard_auth: true,
      auth: { auth_header_name: 'Authorization' },
    }
    const test = await makeTestEngine({ definitions: [definitionOf('a', modes)] })
    await test.putKey('org1abcd', { org_id: 'org1', access_rights: { a: { api_id: 'a' } } })
    expect((await test.send('GET', '/a/x', { authorization: 'abcd' })).status).toBe(403)
  })
})
