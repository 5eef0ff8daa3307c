/**
 * Versions made of several definitions, as far as it is no matter of files: what a call must name, how the base
 * changes, what the listing says. Works on the `definition` part of a document, which OpenAPI documents and MCP
 * proxies have as well. Source: spec/apis-and-pipeline.md 1.4.
 */
import type { ClassicDefinition } from './classic.ts'

export type VersionsDocument = ClassicDefinition['definition']

/** Query parameters of a POST that makes a child version; empty where not given. */
export interface VersionParams {
  readonly baseApiId: string
  readonly baseApiVersionName: string
  readonly newVersionName: string
  readonly setDefault: boolean
}

/** Reads the parameters from a query; `get` answers null or undefined for what is not there. */
export function readVersionParams(get: (name: string) => string | null | undefined): VersionParams {
  return {
    baseApiId: get('base_api_id') ?? '',
    baseApiVersionName: get('base_api_version_name') ?? '',
    newVersionName: get('new_version_name') ?? '',
    setDefault: get('set_default') === 'true',
  }
}

/** Why the call is refused; `undefined` when it is fine or speaks of no base. `base` is undefined when not loaded. */
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

/** The base's part after a child was made. */
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

/** The base's part after a child was deleted; the same object when the child was none of its versions. */
export function withoutVersion(base: VersionsDocument, childId: string): VersionsDocument {
  const entries = Object.entries(base.versions ?? {})
  const kept = entries.filter(([, id]) => id !== childId)
  if (kept.length === entries.length) return base
  const defaultIsGone = entries.some(([name, id]) => id === childId && name === base.default)
  return { ...base, default: defaultIsGone ? base.name : base.default, versions: copyOf(Object.fromEntries(kept)) }
}

/** Without a prototype, like every map that was read. */
function copyOf(versions: Record<string, string>): Record<string, string> {
  return Object.assign(Object.create(null) as Record<string, string>, versions)
}

/** The part of a loaded definition that the listing speaks of. */
export interface ListedApi {
  readonly id: string
  readonly name: string
  readonly internal: boolean
  readonly document: Pick<ClassicDefinition, 'expiration' | 'definition'>
}

/** The API of which this one is a version; `undefined` for none. */
export function baseOf<T extends ListedApi>(childId: string, loaded: Iterable<T>): T | undefined {
  for (const api of loaded) {
    if (api.id !== childId && Object.values(api.document.definition.versions ?? {}).includes(childId)) return api
  }
  return undefined
}

/** One line of the listing, in wire form. */
export interface ListedVersion {
  readonly id: string
  readonly name: string
  readonly versionName: string
  readonly internal: boolean
  readonly expirationDate: string
  readonly isDefaultVersion: boolean
}

export interface VersionFilter {
  /** Part of the version name, any case; empty: all. */
  readonly searchText?: string
  /** `internal` or `external`; anything else: both. */
  readonly accessType?: string
}

/** Versions of a base: itself first, then its loaded children by version name. */
export function listVersions(
  base: ListedApi,
  find: (apiId: string) => ListedApi | undefined,
  filter: VersionFilter = {},
): readonly ListedVersion[] {
  const { name, default: byDefault, versions } = base.document.definition
  const children = Object.entries(versions ?? {}).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  const isBaseDefault = children.length === 0 || byDefault === '' || byDefault === 'self' || byDefault === name
  const listing = [listed(base, name, isBaseDefault)]
  for (const [versionName, id] of children) {
    const child = find(id)
    if (child !== undefined) listing.push(listed(child, versionName, !isBaseDefault && versionName === byDefault))
  }
  const wanted = (filter.searchText ?? '').toLowerCase()
  return listing.filter(
    (version) =>
      version.versionName.toLowerCase().includes(wanted) &&
      (filter.accessType !== 'internal' || version.internal) &&
      (filter.accessType !== 'external' || !version.internal),
  )
}

function listed(api: ListedApi, versionName: string, isDefaultVersion: boolean): ListedVersion {
  return {
    id: api.id,
    name: api.name,
    versionName,
    internal: api.internal,
    expirationDate: api.document.expiration,
    isDefaultVersion,
  }
}
