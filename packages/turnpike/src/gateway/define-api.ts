/** Short words for an ordinary definition, for tests and small gateways; everything of the format can be added. */
import type { DefinitionDocument } from './documents.ts'

export interface ApiOptions {
  readonly id: string
  /** URL of the upstream. */
  readonly target: string
  /** Default: `/<id>/`. The upstream does not see it. */
  readonly listenPath?: string
  /** Default: none. */
  readonly orgId?: string
  /** Anybody may call. Default: false, a key in the header `Authorization` is wanted. */
  readonly open?: boolean
  /** Further fields of the definition; they win. */
  readonly more?: Partial<DefinitionDocument>
}

/** An API of one version, with the documented defaults. */
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
