import { describe, expect, it } from 'vitest'
import { definitionOf, makeTestEngine } from '../../../test/support/test-engine.ts'

describe('an API with an authentication mode that this gateway does not provide', () => {
  it.each(['use_openid', 'custom_plugin_auth_enabled'])('with %s refuses every request', async (field) => {
    const test = await makeTestEngine({ definitions: [definitionOf('a', { use_keyless: false, [field]: true })] })
    const response = await test.send('GET', '/a/x', { authorization: 'anything' })
    expect(response.status).toBe(403)
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
