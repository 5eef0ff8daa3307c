/** Scripts of `middleware.global`. Source: docs/reference/scripts.md#script-notation-in-openapi-documents. */
import { isJson, isOn, type Json, listOf, memberOf, objectOf } from '../../../lib/json.ts'

/** `authentication`: its member `custom` has the script of authentication. */
export function pluginFields(global: Json, authentication: unknown): Json {
  const { driver, bundle, data } = objectOf(global['pluginConfig'])
  return {
    custom_middleware: {
      driver,
      pre: entries(global['prePlugins'], global['prePlugin']),
      post_key_auth: entries(global['postAuthenticationPlugins'], global['postAuthenticationPlugin']),
      post: entries(global['postPlugins'], global['postPlugin']),
      response: entries(global['responsePlugins'], global['responsePlugin']),
      auth_check: entry(memberOf(authentication, 'custom', 'config')),
    },
    custom_middleware_bundle: memberOf(bundle, 'path'),
    custom_middleware_bundle_disabled: isJson(bundle) && !isOn(bundle),
    config_data: memberOf(data, 'value'),
    config_data_disabled: isJson(data) && !isOn(data),
  }
}

/** Older documents have the list in a member of an object; it counts also beside an empty list of the newer form. */
function entries(plugins: unknown, older: unknown): Json[] {
  const newer = listOf(plugins)
  return (newer.length > 0 ? newer : listOf(memberOf(older, 'plugins'))).map(entry)
}

function entry(plugin: unknown): Json {
  return {
    name: memberOf(plugin, 'functionName'),
    path: memberOf(plugin, 'path'),
    disabled: isJson(plugin) && !isOn(plugin),
    require_session: memberOf(plugin, 'requireSession'),
    raw_body_only: memberOf(plugin, 'rawBodyOnly'),
  }
}
