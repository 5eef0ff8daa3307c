/** Shorthand for a definition with one version, for tests and small gateways. */
import type { DefinitionDocument } from './document-types.ts'

export interface ApiOptions {
  readonly id: string
  /** URL of the upstream. */
  readonly target: string
  /** Default: `/<id>/`. It is stripped from the path that the upstream receives. */
  readonly listenPath?: string
  /** Default: none. */
  readonly orgId?: string
  /** Accepts requests without a key. Default: false; the gateway reads the key from the header `Authorization`. */
  readonly open?: boolean
  /** Further fields of the definition. They override the generated ones. */
  readonly more?: Partial<DefinitionDocument>
}

/** Returns the definition of an API with one version. Source: docs/reference/api-definition.md#api-definition. */
export function defineApi({
  id,
  target,
  listenPath = `/${id}/`,
  orgId = '',
  open = false,
  more,
}: ApiOptions): DefinitionDocument {
  return {
    name: id,
    api_id: id,
    org_id: orgId,
    active: true,
    ...(open ? { use_keyless: true } : { use_standard_auth: true, auth: { auth_header_name: 'Authorization' } }),
    version_data: { not_versioned: true, versions: { Default: { name: 'Default' } } },
    proxy: { listen_path: listenPath, target_url: target, strip_listen_path: true },
    ...more,
  }
}
