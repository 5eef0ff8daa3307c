/** Authentication to the upstream. Source: docs/reference/upstream-authentication.md, docs/reference/request-signing.md. */
import { isOn, type Json, memberOf, objectOf } from '../../../lib/json.ts'

export function toClassicUpstreamAuth(authentication: unknown): Json | undefined {
  if (authentication === undefined) return undefined
  const oauth = objectOf(memberOf(authentication, 'oauth'))
  const password = objectOf(oauth['password'])
  return {
    enabled: isOn(authentication),
    basic_auth: memberOf(authentication, 'basicAuth'),
    oauth: {
      enabled: oauth['enabled'],
      allowed_authorize_types: oauth['allowedAuthorizeTypes'],
      client_credentials: grantFields(objectOf(oauth['clientCredentials'])),
      password: { ...grantFields(password), username: password['username'], password: password['password'] },
    },
  }
}

function grantFields(grant: Json): Json {
  return {
    enabled: grant['enabled'],
    client_id: grant['clientId'],
    client_secret: grant['clientSecret'],
    token_url: grant['tokenUrl'],
    scopes: grant['scopes'],
    header: grant['header'],
    extra_metadata: grant['extraMetadata'],
  }
}

export function toClassicSigning(authentication: unknown): Json | undefined {
  const signing = memberOf(authentication, 'requestSigning')
  if (signing === undefined) return undefined
  return {
    is_enabled: isOn(authentication) && isOn(signing),
    secret: memberOf(signing, 'secret'),
    key_id: memberOf(signing, 'keyId'),
    algorithm: memberOf(signing, 'algorithm'),
    header_list: memberOf(signing, 'headers'),
    certificate_id: memberOf(signing, 'certificateId'),
    signature_header: memberOf(signing, 'signatureHeader'),
  }
}
