/** Shorthand for a definition with one version, for tests and small gateways. */
import type { DefinitionDocument } from './document-types.ts'
import type { ApiOptions } from './options/api-options.ts'
import { checkApiOptions } from './options/check-api-options.ts'

/**
 * Returns the definition of an API with one version. Source: docs/reference/api-definition.md#api-definition. Throws an
 * `OptionError` if an option is unknown, missing or wrong.
 */
export function defineApi(options: ApiOptions): DefinitionDocument {
  checkApiOptions(options)
  const { id, target, listenPath = `/${id}/`, orgId = '', open = false, stages, more } = options
  return {
    name: id,
    api_id: id,
    org_id: orgId,
    active: true,
    ...(open ? { use_keyless: true } : { use_standard_auth: true, auth: { auth_header_name: 'Authorization' } }),
    version_data: { not_versioned: true, versions: { Default: { name: 'Default' } } },
    proxy: { listen_path: listenPath, target_url: target, strip_listen_path: true },
    ...(stages === undefined ? {} : { stages }),
    ...more,
  }
}
