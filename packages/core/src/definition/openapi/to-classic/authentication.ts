/**
 * Who may call. The extension switches schemes on, the document's `components.securitySchemes` says of which kind
 * they are, and the first entry of its `security` which of them are asked for. When in doubt a key is asked for:
 * authentication that is on, but names no scheme, is the token mode. Source: spec/oas-and-mcp.md 1.2.
 */
import { isJson, isOn, type Json, listOf, memberOf, objectOf, textOf } from '../../../lib/json.ts'
import { deref } from '../operations.ts'

export function authenticationFields(document: Json, authentication: unknown): Json {
  if (!isOn(authentication)) return { use_keyless: true }
  const settings = objectOf(memberOf(authentication, 'securitySchemes'))
  const asked = Object.keys(objectOf(listOf(document['security'])[0]))
  const configs: Record<string, Json> = {}
  const fields: Record<string, unknown> = {
    use_keyless: false,
    strip_auth_data: memberOf(authentication, 'stripAuthorizationData'),
    base_identity_provided_by: memberOf(authentication, 'baseIdentityProvider'),
    auth_configs: configs,
  }
  for (const name of asked) {
    const scheme = deref(document, memberOf(document, 'components', 'securitySchemes', name))
    const own = objectOf(settings[name])
    if (scheme === undefined || !isOn(own)) continue
    Object.assign(fields, schemeFields(scheme, own))
    configs[configName(scheme)] = { name, ...placesOf(scheme, own) }
  }
  Object.assign(fields, extraModes(authentication, configs))
  return fields
}

function configName(scheme: Json): string {
  if (scheme['type'] === 'apiKey') return 'authToken'
  if (scheme['type'] === 'oauth2') return 'oauth'
  if (scheme['type'] === 'openIdConnect') return 'oidc'
  return textOf(scheme['scheme']).toLowerCase() === 'basic' ? 'basic' : 'jwt'
}

function schemeFields(scheme: Json, own: Json): Json {
  switch (configName(scheme)) {
    case 'authToken':
      return { use_standard_auth: true }
    case 'oauth':
      return {
        use_oauth2: true,
        oauth_meta: {
          allowed_access_types: own['allowedAccessTypes'] ?? accessTypesOf(scheme, own),
          allowed_authorize_types: own['allowedAuthorizeTypes'],
          auth_login_redirect: own['authLoginRedirect'],
        },
        notifications: {
          shared_secret: memberOf(own, 'notifications', 'sharedSecret'),
          oauth_on_keychange_url: memberOf(own, 'notifications', 'onKeyChangeUrl'),
        },
      }
    case 'oidc':
      return { use_openid: true }
    case 'basic':
      return { use_basic_auth: true, basic_auth: basicFields(own) }
    default:
      return jwtFields(own)
  }
}

/** Grants by the flows of OpenAPI, where the extension names none. The implicit flow has no grant of its own. */
const grantByFlow: Readonly<Record<string, string>> = {
  authorizationCode: 'authorization_code',
  clientCredentials: 'client_credentials',
  password: 'password',
}

function accessTypesOf(scheme: Json, own: Json): string[] {
  const grants = Object.keys(objectOf(scheme['flows'])).flatMap((flow) => grantByFlow[flow] ?? [])
  return own['refreshToken'] === true ? [...grants, 'refresh_token'] : grants
}

function basicFields(own: Json): Json {
  const body = own['extractCredentialsFromBody']
  return {
    disable_caching: own['disableCaching'],
    cache_ttl: own['cacheTTL'],
    extract_from_body: isOn(body),
    body_user_regexp: memberOf(body, 'userRegexp'),
    body_password_regexp: memberOf(body, 'passwordRegexp'),
  }
}

/** Lists of claims are newer than the single ones; the first entry is used where the single one is missing. */
function jwtFields(own: Json): Json {
  const scopes = objectOf(own['scopes'])
  const mapping = listOf(scopes['scopeToPolicyMapping']).map((entry): [string, unknown] => [
    textOf(memberOf(entry, 'scope')),
    memberOf(entry, 'policyId'),
  ])
  return {
    enable_jwt: true,
    jwt_source: own['source'] || memberOf(listOf(own['jwksURIs'])[0], 'url'),
    jwt_signing_method: own['signingMethod'],
    jwt_identity_base_field: own['identityBaseField'] || listOf(own['subjectClaims'])[0],
    jwt_skip_kid: own['skipKid'],
    jwt_policy_field_name: own['policyFieldName'] || listOf(own['basePolicyClaims'])[0],
    jwt_client_base_field: own['clientBaseField'],
    jwt_default_policies: own['defaultPolicies'],
    jwt_issued_at_validation_skew: own['issuedAtValidationSkew'],
    jwt_not_before_validation_skew: own['notBeforeValidationSkew'],
    jwt_expires_at_validation_skew: own['expiresAtValidationSkew'],
    idp_client_id_mapping_disabled: own['idpClientIdMappingDisabled'],
    scopes: {
      jwt: {
        scope_claim_name: scopes['claimName'] || listOf(scopes['claims'])[0],
        scope_to_policy: mapping.length === 0 ? undefined : Object.fromEntries(mapping),
      },
    },
  }
}

/** Where the extension names no place, an API key is read where the document says, all else in `Authorization`. */
function placesOf(scheme: Json, own: Json): Json {
  const places = ['header', 'query', 'cookie'].filter((place) => isJson(own[place]))
  const settings =
    places.length > 0
      ? own
      : scheme['type'] === 'apiKey'
        ? { [textOf(scheme['in'])]: { enabled: true, name: scheme['name'] } }
        : { header: { enabled: true } }
  return {
    disable_header: !isOn(memberOf(settings, 'header')),
    auth_header_name: memberOf(settings, 'header', 'name'),
    use_param: isOn(memberOf(settings, 'query')),
    param_name: memberOf(settings, 'query', 'name'),
    use_cookie: isOn(memberOf(settings, 'cookie')),
    cookie_name: memberOf(settings, 'cookie', 'name'),
  }
}

/** Modes that OpenAPI has no scheme for. */
function extraModes(authentication: unknown, configs: Record<string, Json>): Json {
  const hmac = memberOf(authentication, 'hmac')
  const oidc = memberOf(authentication, 'oidc')
  const custom = memberOf(authentication, 'custom')
  const fields: Record<string, unknown> = {}
  if (isOn(hmac)) {
    fields['enable_signature_checking'] = true
    fields['hmac_allowed_algorithms'] = memberOf(hmac, 'allowedAlgorithms')
    fields['hmac_allowed_clock_skew'] = memberOf(hmac, 'allowedClockSkew')
    configs['hmac'] = placesOf({}, objectOf(hmac))
  }
  if (isOn(oidc)) fields['use_openid'] = true
  if (isOn(custom)) fields['custom_plugin_auth_enabled'] = true
  return fields
}
