import { expect, it } from 'vitest'
import { makeTestGateway } from '../../test/test-gateway.ts'

const definition = { api_id: 'w', name: 'w', proxy: { listen_path: '/w/', target_url: 'http://u' }, use_keyless: true }

it('a call that writes a definition warns about fields that are not supported', async () => {
  const gateway = await makeTestGateway()
  const plain = await gateway.call('POST', '/svc/apis', definition)
  expect(plain.json).toEqual({ key: 'w', status: 'ok', action: 'added' })
  const more = { ...definition, detailed_tracing: true, auth_provider: { storage_engine: 'ldap' } }
  expect((await gateway.call('POST', '/svc/apis', more)).json).toMatchObject({
    warnings: [
      expect.stringMatching(/^auth_provider is not supported, so requests are rejected: /),
      expect.stringMatching(/^detailed_tracing has no effect: /),
    ],
  })
})
