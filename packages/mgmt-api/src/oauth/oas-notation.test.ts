import { toClassic } from '@turnpike/core/definition'
import { expect, it } from 'vitest'

const oauthOf = (scheme: object, own: object) => {
  const extension = {
    info: { id: 'p', name: 'p', orgId: 'org1', state: { active: true } },
    server: {
      listenPath: { value: '/p/', strip: true },
      authentication: { enabled: true, securitySchemes: { o: { enabled: true, ...own } } },
    },
    upstream: { url: 'http://upstream.test' },
  }
  const read = toClassic(
    {
      openapi: '3.0.3',
      info: { title: 'p', version: '1' },
      paths: {},
      security: [{ o: [] }],
      components: { securitySchemes: { o: { type: 'oauth2', ...scheme } } },
      'x-svc-api-gateway': extension,
    },
    extension,
  )
  if (read.problem !== undefined) throw new Error(read.problem)
  return read.value
}

it('an OpenAPI document configures OAuth by its scheme and the extension', () => {
  const { useOauth2, oauthMeta, notifications, authConfigs } = oauthOf(
    { flows: { authorizationCode: {}, clientCredentials: {}, implicit: {} } },
    {
      header: { enabled: true, name: 'X-Token' },
      allowedAuthorizeTypes: ['code'],
      refreshToken: true,
      authLoginRedirect: 'http://login.test/',
      notifications: { sharedSecret: 's', onKeyChangeUrl: 'http://owner.test/' },
    },
  )
  expect(useOauth2).toBe(true)
  expect(oauthMeta).toEqual({
    allowedAccessTypes: ['authorization_code', 'client_credentials', 'refresh_token'],
    allowedAuthorizeTypes: ['code'],
    authLoginRedirect: 'http://login.test/',
  })
  expect(notifications).toEqual({ sharedSecret: 's', oauthOnKeychangeUrl: 'http://owner.test/' })
  expect(authConfigs?.['oauth']?.authHeaderName).toBe('X-Token')
})

it('grants of the extension take precedence over the flows', () => {
  const { oauthMeta } = oauthOf({ flows: { password: {} } }, { allowedAccessTypes: ['client_credentials'] })
  expect(oauthMeta.allowedAccessTypes).toEqual(['client_credentials'])
})
