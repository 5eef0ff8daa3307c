/**
 * Authentication. The extension switches schemes on, `components.securitySchemes` defines their types, and the security
 * requirements select the required ones. Authentication that is on without a scheme is the token mode, so a mistake
 * never opens an API. Source: docs/reference/openapi-extension.md#server-fields.
 */
import { isJson, isOn, type Json, memberOf, objectOf, textOf } from '../../../lib/json.ts'
import { authModes } from '../../auth-modes/auth-modes.ts'
import { tokenMode } from '../../auth-modes/token-mode.ts'
import { enabledScheme, hasAlternatives, requiredSchemes, securityGroups, securityScheme } from '../security-groups.ts'

export function authenticationFields(document: Json, authentication: unknown): Json {
  if (!isOn(authentication)) return { use_keyless: true }
  const groups = securityGroups(document, authentication)
  const configs: Record<string, Json> = {}
  const fields: Record<string, unknown> = {
    use_keyless: false,
    strip_auth_data: memberOf(authentication, 'stripAuthorizationData'),
    base_identity_provided_by: memberOf(authentication, 'baseIdentityProvider'),
    auth_configs: configs,
    // Without alternatives a single group says nothing that the modes do not say.
    security_requirements: groups.length >= (hasAlternatives(authentication) ? 1 : 2) ? groups : undefined,
  }
  for (const name of requiredSchemes(document, authentication)) {
    const enabled = enabledScheme(name, document, authentication)
    if (enabled === undefined) {
      // Where no method is on, the API needs a key all the same.
      const scheme = securityScheme(name, document)
      if (scheme !== undefined && isApiKey(scheme)) configs[tokenMode.configName] = { name, ...placesOf(scheme, {}) }
      continue
    }
    const { scheme, own } = enabled
    const { configName, openApi } = enabled.mode
    Object.assign(fields, openApi.fields(scheme, own))
    configs[configName] = { name, ...placesOf(scheme, own), ...openApi.configFields?.(own) }
  }
  Object.assign(fields, settingFields(authentication, configs))
  return fields
}

/**
 * An API key is read where the document defines it, and in the other places of the extension. Other credentials are read
 * in the places of the extension; without one, in `Authorization`.
 */
function placesOf(scheme: Json, own: Json): Json {
  const places = ['header', 'query', 'cookie'].filter((place) => isJson(own[place]))
  const defined = isApiKey(scheme) ? { [textOf(scheme['in'])]: { enabled: true, name: scheme['name'] } } : {}
  const fallback = places.length === 0 && !isApiKey(scheme) ? { header: { enabled: true } } : {}
  const settings = { ...own, ...fallback, ...defined }
  return {
    disable_header: !isOn(memberOf(settings, 'header')),
    auth_header_name: memberOf(settings, 'header', 'name'),
    use_param: isOn(memberOf(settings, 'query')),
    param_name: memberOf(settings, 'query', 'name'),
    use_cookie: isOn(memberOf(settings, 'cookie')),
    cookie_name: memberOf(settings, 'cookie', 'name'),
  }
}

function isApiKey(scheme: Json): boolean {
  return scheme['type'] === 'apiKey'
}

/** Modes without an OpenAPI security scheme. */
function settingFields(authentication: unknown, configs: Record<string, Json>): Json {
  const fields: Record<string, unknown> = {}
  for (const { configName, openApi } of authModes) {
    if (openApi.kind === 'scheme') continue
    const own = memberOf(authentication, openApi.member)
    if (!isOn(own)) continue
    Object.assign(fields, openApi.fields(own))
    if (openApi.hasPlaces) configs[configName] = placesOf({}, objectOf(own))
  }
  return fields
}
