import { describe, expect, it } from 'vitest'
import { authenticationFields } from '../openapi/to-classic/authentication.ts'

const signature = {
  enabled: true,
  algorithm: 'MasheryMD5',
  header: 'X-Seal',
  query: { enabled: true, name: 'seal' },
  secret: 's',
  allowedClockSkew: 2,
  errorCode: 407,
  errorMessage: 'no seal',
}

function configOf(own: object) {
  const document = {
    security: [{ key: [] }],
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
  }
  const authentication = { enabled: true, securitySchemes: { key: { enabled: true, ...own } } }
  return authenticationFields(document, authentication)['auth_configs']
}

describe('an API key in an OpenAPI document', () => {
  it('can need a signature', () => {
    expect(configOf({ signature })).toMatchObject({
      authToken: {
        auth_header_name: 'X-Key',
        validate_signature: true,
        signature: {
          algorithm: 'MasheryMD5',
          header: 'X-Seal',
          use_param: true,
          param_name: 'seal',
          secret: 's',
          allowed_clock_skew: 2,
          error_code: 407,
          error_message: 'no seal',
        },
      },
    })
  })

  it('needs none if the signature is switched off', () => {
    expect(configOf({ signature: { ...signature, enabled: false } })).not.toHaveProperty('authToken.signature')
  })
})
