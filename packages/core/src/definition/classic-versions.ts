/**
 * Versions with definitions of their own, without file access: checks of the request parameters, changes of the base,
 * and the list of versions. Works on the `definition` object, which derived definitions of OpenAPI documents and MCP
 * proxies have too. Source: docs/reference/versions.md#creating-a-version.
 */
import type { ClassicDefinition } from './classic.ts'

export type VersionsDocument = ClassicDefinition['definition']

/** Query parameters of a POST that creates a child version; empty if missing. */
export interface VersionParams {
  readonly baseApiId: string
  readonly baseApiVersionName: string
  readonly newVersionName: string
  readonly setDefault: boolean
}

/** Reads the parameters; `get` returns null or undefined for a missing one. */
export function readVersionParams(get: (name: string) => string | null | undefined): VersionParams {
  return {
    baseApiId: get('base_api_id') ?? '',
    baseApiVersionName: get('base_api_version_name') ?? '',
    newVersionName: get('new_version_name') ?? '',
    setDefault: get('set_default') === 'true',
  }
}

/** The error of invalid parameters; `undefined`: they are valid or name no base. `base` is undefined if not loaded. */
export function checkVersionParams(
  params: VersionParams,
  base: VersionsDocument | undefined,
): { readonly status: 400 | 422; readonly message: string } | undefined {
  if (params.baseApiId === '') return undefined
  if (params.newVersionName === '') return { status: 422, message: 'The new version name is required' }
  if (base === undefined) return { status: 400, message: `${params.baseApiId} is not a valid Base API version` }
  if (params.baseApiVersionName === '' && base.name === '') {
    return { status: 400, message: `you need to provide a version name for the new Base API: ${params.baseApiId}` }
  }
  return undefined
}

/** The `definition` object of the base after a child was created. */
export function withVersion(base: VersionsDocument, params: VersionParams, childId: string): VersionsDocument {
  return {
    ...base,
    enabled: true,
    name: params.baseApiVersionName || base.name,
    default: params.setDefault ? params.newVersionName : base.default || 'self',
    key: base.key || 'x-api-version',
    location: base.location || 'header',
    versions: copyOf({ ...base.versions, [params.newVersionName]: childId }),
  }
}

/** The `definition` object of the base after a child was deleted; the same object if it had no such child. */
export function withoutVersion(base: VersionsDocument, childId: string): VersionsDocument {
  const entries = Object.entries(base.versions ?? {})
  const kept = entries.filter(([, id]) => id !== childId)
  if (kept.length === entries.length) return base
  const wasDefault = entries.some(([name, id]) => id === childId && name === base.default)
  return { ...base, default: wasDefault ? base.name : base.default, versions: copyOf(Object.fromEntries(kept)) }
}

/** A copy without a prototype, like every map that `readShape` returns. */
function copyOf(versions: Record<string, string>): Record<string, string> {
  return Object.assign(Object.create(null) as Record<string, string>, versions)
}

/** The fields of a loaded definition that the list of versions uses. */
export interface ListedApi {
  readonly id: string
  readonly name: string
  readonly internal: boolean
  readonly document: Pick<ClassicDefinition, 'expiration' | 'definition'>
  /** Set if the files refer to secrets: the document with the references. */
  readonly secrets?: { readonly document: Pick<ClassicDefinition, 'name' | 'expiration' | 'definition'> }
}

/** The base of a child version; `undefined`: the API is not a child. */
export function baseOf<T extends ListedApi>(childId: string, loaded: Iterable<T>): T | undefined {
  for (const api of loaded) {
    if (api.id !== childId && Object.values(api.document.definition.versions ?? {}).includes(childId)) return api
  }
  return undefined
}

/** An entry of the list of versions, as the management API sends it. */
export interface ListedVersion {
  readonly id: string
  readonly name: string
  readonly versionName: string
  readonly internal: boolean
  readonly expirationDate: string
  readonly isDefaultVersion: boolean
}

export interface VersionFilter {
  /** Part of the version name, ignoring case; empty: all versions. */
  readonly searchText?: string
  /** `internal` or `external`; any other value: both. */
  readonly accessType?: string
}

/** The versions of a base: itself, then its loaded children in the order of their version names. */
export function listVersions(
  base: ListedApi,
  find: (apiId: string) => ListedApi | undefined,
  filter: VersionFilter = {},
): readonly ListedVersion[] {
  const { name, default: byDefault, versions } = base.document.definition
  const children = Object.entries(versions ?? {}).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  const isBaseDefault = children.length === 0 || byDefault === '' || byDefault === 'self' || byDefault === name
  const list = [listed(base, base.secrets?.document.definition.name ?? name, isBaseDefault)]
  for (const [versionName, id] of children) {
    const child = find(id)
    if (child !== undefined) list.push(listed(child, versionName, !isBaseDefault && versionName === byDefault))
  }
  const wanted = (filter.searchText ?? '').toLowerCase()
  return list.filter(
    (version) =>
      version.versionName.toLowerCase().includes(wanted) &&
      (filter.accessType !== 'internal' || version.internal) &&
      (filter.accessType !== 'external' || !version.internal),
  )
}

function listed(api: ListedApi, versionName: string, isDefaultVersion: boolean): ListedVersion {
  return {
    id: api.id,
    name: api.secrets?.document.name ?? api.name,
    versionName,
    internal: api.internal,
    expirationDate: (api.secrets?.document ?? api.document).expiration,
    isDefaultVersion,
  }
}
