/** Reads how requests name their version. Source: docs/reference/versions.md#version-name. */
import type { VersionFamily, Versioning } from './api-definition.ts'
import type { ClassicDefinition } from './classic.ts'

/** Default name of the version header. */
const defaultVersionHeader = 'x-api-version'

/** Versions within the definition; `chosen` is the version of an API that is not versioned. */
export function versioningOf(document: ClassicDefinition): { versioning: Versioning; chosen: string | undefined } {
  const { notVersioned, defaultVersion, versions } = document.versionData
  if (notVersioned) {
    const chosen = onlyVersion(Object.keys(versions ?? {}))
    if (chosen.name !== undefined) return { versioning: { kind: 'none' }, chosen: chosen.name }
    return { versioning: { kind: chosen.problem }, chosen: undefined }
  }
  const named = { kind: 'named', defaultVersion, ...placeOf(document) } as const
  return { versioning: named, chosen: undefined }
}

export type OnlyVersion =
  | { readonly name: string; readonly problem?: undefined }
  | { readonly name?: undefined; readonly problem: 'missing-default' | 'ambiguous-default' }

/** The version of an API that is not versioned: the only one, or the only one with a default name. */
export function onlyVersion(names: readonly string[]): OnlyVersion {
  const [first, ...others] =
    names.length === 1 ? names : ['Default', 'default', ''].filter((name) => names.includes(name))
  if (first === undefined) return { problem: 'missing-default' }
  return others.length === 0 ? { name: first } : { problem: 'ambiguous-default' }
}

/** Versions with definitions of their own. */
export function familyOf(document: ClassicDefinition): VersionFamily | undefined {
  const { enabled, name, default: defaultVersion, versions } = document.definition
  if (!enabled) return undefined
  return { ...placeOf(document), ownName: name, defaultVersion, children: new Map(Object.entries(versions ?? {})) }
}

function placeOf(document: ClassicDefinition) {
  const { location, key, stripPath, stripVersioningData, fallbackToDefault, urlVersioningPattern } = document.definition
  const inHeader = location !== 'url' && location !== 'url-param'
  return {
    location: inHeader ? 'header' : location,
    key: inHeader ? key.toLowerCase() || defaultVersionHeader : key,
    fallbackToDefault,
    strip: stripVersioningData || stripPath,
    urlPattern: urlVersioningPattern,
  } as const
}
