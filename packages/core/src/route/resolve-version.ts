/** Determines the API version of a request. Source: docs/reference/versions.md#versions-inside-one-definition. */
import type { ApiDefinition, ApiVersion, VersionFamily, Versioning } from '../definition/api-definition.ts'
import { type HeaderPairs, headerOf } from '../http/headers.ts'
import { parameterOf, sortedByName, withoutParameter } from '../lib/form.ts'
import { compileRe2, type Re2 } from '../lib/regex/re2.ts'

/** The parts of a request that can name a version. */
export interface VersionRequest {
  readonly headers: HeaderPairs
  /** As received, without the question mark. */
  readonly query: string
  /** Path after the listen path, with a leading slash. */
  readonly path: string
}

/** The request without the version name, if `strip_versioning_data` is set; otherwise the request as it was. */
export interface Stripped {
  readonly path: string
  readonly query: string
  /** Header to remove, in lower case; `undefined`: none. */
  readonly header: string | undefined
}

/** Versions within one definition. */
export type VersionChoice =
  | ({
      readonly kind: 'version'
      readonly version: ApiVersion
      /** The request named no version or an unknown one, so the response names the version in `version_header`. */
      readonly byDefault: boolean
    } & Stripped)
  /** 403 `Version information not found`. */
  | { readonly kind: 'missing' }
  /** 403 `This API version does not seem to exist`. */
  | { readonly kind: 'unknown' }
  /** 403 `No default API version for this non-versioned API found`. */
  | { readonly kind: 'no-default' }
  /** 403 `Ambiguous default API version for this non-versioned API`. */
  | { readonly kind: 'ambiguous-default' }

/** Why no version serves a request. */
export type NoVersion = Exclude<VersionChoice['kind'], 'version'>

/** Versions with definitions of their own. Source: docs/reference/versions.md#versions-across-definitions. */
export type FamilyChoice =
  /** The base API itself. */
  | ({ readonly kind: 'self'; readonly byDefault: boolean; readonly name: string } & Stripped)
  | ({ readonly kind: 'child'; readonly byDefault: boolean; readonly name: string; readonly apiId: string } & Stripped)
  | { readonly kind: 'missing' }
  /** 404, unlike an unknown version within one definition. */
  | { readonly kind: 'unknown' }

/** Compiles the version look-up of an API whose versions are in one definition. */
export function makeVersionResolver(api: ApiDefinition): (request: VersionRequest) => VersionChoice {
  const { versioning, versions } = api
  if (versioning.kind === 'missing-default') return () => ({ kind: 'no-default' })
  if (versioning.kind === 'ambiguous-default') return () => ({ kind: 'ambiguous-default' })
  if (versioning.kind === 'none') {
    const version = versions.values().next().value as ApiVersion
    return ({ path, query }) => ({ kind: 'version', version, byDefault: false, path, query, header: undefined })
  }
  const read = makeNameReader(versioning)
  return (request) => {
    const named = read(request)
    const wanted = named.name === '' ? versioning.defaultVersion : named.name
    if (wanted === '') return { kind: 'missing' }
    const version = versions.get(wanted)
    if (version !== undefined) return { kind: 'version', version, byDefault: named.name === '', ...named.stripped() }
    const fallback = versioning.fallbackToDefault ? versions.get(versioning.defaultVersion) : undefined
    if (fallback === undefined) return { kind: 'unknown' }
    return { kind: 'version', version: fallback, byDefault: true, ...named.stripped() }
  }
}

/** Compiles the version look-up of a base API, whose versions are definitions of their own. */
export function makeFamilyResolver(family: VersionFamily): (request: VersionRequest) => FamilyChoice {
  const read = makeNameReader(family)
  const choose = (name: string, byDefault: boolean, stripped: () => Stripped): FamilyChoice | undefined => {
    // Both names can be empty: a base without a name serves the requests that name no version.
    if (name === 'self' || name === family.ownName) {
      return { kind: 'self', byDefault, name: family.ownName, ...stripped() }
    }
    const apiId = family.children.get(name)
    return apiId === undefined ? undefined : { kind: 'child', byDefault, name, apiId, ...stripped() }
  }
  return (request) => {
    const named = read(request)
    const wanted = named.name === '' ? family.defaultVersion : named.name
    const choice = choose(wanted, named.name === '', named.stripped)
    if (choice !== undefined) return choice
    if (wanted === '') return { kind: 'missing' }
    const fallback = family.fallbackToDefault ? choose(family.defaultVersion, true, named.stripped) : undefined
    return fallback ?? { kind: 'unknown' }
  }
}

interface NamedVersion {
  /** Empty: the request names no version. */
  readonly name: string
  stripped(): Stripped
}

type NameLocation = Pick<Extract<Versioning, { kind: 'named' }>, 'location' | 'key' | 'strip' | 'urlPattern'>

function makeNameReader(place: NameLocation): (request: VersionRequest) => NamedVersion {
  const { key, strip } = place
  const keep = ({ path, query }: VersionRequest): Stripped => ({ path, query, header: undefined })
  if (place.location === 'header') {
    return (request) => ({
      name: headerOf(request.headers, key) ?? '',
      stripped: () => (strip ? { ...keep(request), header: key } : keep(request)),
    })
  }
  if (place.location === 'url-param') {
    return (request) => ({
      name: parameterOf(request.query, key),
      stripped: () =>
        strip ? { ...keep(request), query: sortedByName(withoutParameter(request.query, key)) } : keep(request),
    })
  }
  const pattern = place.urlPattern === '' ? undefined : compileRe2(place.urlPattern)
  return (request) => {
    const name = firstSegment(request.path)
    return {
      name,
      stripped: () =>
        strip && isStrippable(name, pattern)
          ? { ...keep(request), path: withoutSegment(request.path, name) }
          : keep(request),
    }
  }
}

function isStrippable(segment: string, pattern: Re2 | { readonly problem: string } | undefined): boolean {
  return pattern === undefined || (pattern.problem === undefined && pattern.test(segment))
}

function firstSegment(path: string): string {
  let start = 0
  while (path[start] === '/') start++
  const end = path.indexOf('/', start)
  return path.slice(start, end === -1 ? undefined : end)
}

/** Removes the first `<segment>/`. A segment at the end of the path stays; see docs/reference/versions.md#version-name. */
function withoutSegment(path: string, segment: string): string {
  const at = segment === '' ? -1 : path.indexOf(`${segment}/`)
  return at === -1 ? path : path.slice(0, at) + path.slice(at + segment.length + 1)
}
