import { expect, it } from 'vitest'
import type { Json } from '../../../lib/json.ts'
import { authenticationFields } from './authentication.ts'

const document = {
  security: [{ t: [] }],
  components: { securitySchemes: { t: { type: 'apiKey', in: 'header', name: 'X-Doc' } } },
}
const at = (name: string) => ({ enabled: true, name })

it.each<[string, Json, Json]>([
  ['the extension names another header', { t: { enabled: true, header: at('X-Ext') } }, { use_param: false }],
  [
    'the extension adds a query parameter',
    { t: { enabled: true, query: at('key') } },
    { use_param: true, param_name: 'key' },
  ],
  ['the extension has no scheme', {}, { use_param: false }],
  ['the scheme is off', { t: { enabled: false, header: at('X-Ext') } }, { use_param: false }],
])('the document says where the API key is: %s', (_, securitySchemes, more) => {
  const fields = authenticationFields(document, { enabled: true, securitySchemes })
  expect(fields).toMatchObject({
    use_keyless: false,
    auth_configs: { authToken: { disable_header: false, auth_header_name: 'X-Doc', ...more } },
  })
})

it('a key in a query parameter is not read from a header', () => {
  const query = { ...document, components: { securitySchemes: { t: { type: 'apiKey', in: 'query', name: 'k' } } } }
  const fields = authenticationFields(query, { enabled: true, securitySchemes: { t: { enabled: true } } })
  expect(fields).toMatchObject({
    auth_configs: { authToken: { disable_header: true, use_param: true, param_name: 'k' } },
  })
})
