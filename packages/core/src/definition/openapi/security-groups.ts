/**
 * Groups of authentication methods: alternatives, one of which must accept the request. Source:
 * docs/reference/openapi-authentication.md#authentication-groups.
 */
import { isOn, type Json, listOf, memberOf, objectOf, textsOf } from '../../lib/json.ts'
import type { AuthGroup, AuthMode } from '../api-definition.ts'
import { authModes, authModesOf, modeOfScheme } from '../auth-modes/auth-modes.ts'
import type { ClassicDefinition } from '../classic.ts'
import { deref } from './operations.ts'

/** Names of methods that are settings of the extension and not security schemes, with their modes. */
const settingModes: ReadonlyMap<string, AuthMode> = new Map(
  authModes.flatMap(({ name, openApi }): [string, AuthMode][] =>
    openApi.kind === 'setting' ? [[openApi.member, name]] : [],
  ),
)

/** Whether the groups of the document are alternatives. Otherwise only its first security requirement applies. */
export function hasAlternatives(authentication: unknown): boolean {
  return memberOf(authentication, 'securityProcessingMode') === 'compliant'
}

/** The groups of a document as lists of scheme names, in the order in which requests try them. */
export function securityGroups(document: Json, authentication: unknown): readonly (readonly string[])[] {
  const entries = listOf(document['security']).map((entry) => Object.keys(objectOf(entry)))
  if (!hasAlternatives(authentication)) return entries
  // An empty list in the extension is a mistake. It must not open the API as `{}` in the document does.
  const lists = listOf(memberOf(authentication, 'security'))
    .map(textsOf)
    .filter((names) => names.length > 0)
  const bound = new Set(lists.filter((names) => names.some((name) => settingModes.has(name))).flat())
  return [...entries.filter((names) => names.length !== 1 || !bound.has(names[0] as string)), ...lists]
}

/** Names of the schemes whose settings apply: those of all groups, or of the first entry of `security`. */
export function requiredSchemes(document: Json, authentication: unknown): readonly string[] {
  const groups = securityGroups(document, authentication)
  return hasAlternatives(authentication) ? [...new Set(groups.flat())] : (groups[0] ?? [])
}

/** A security scheme of the document; `undefined`: it does not exist. */
export function securityScheme(name: string, document: Json): Json | undefined {
  return deref(document, memberOf(document, 'components', 'securitySchemes', name))
}

/** A security scheme with its settings in the extension and its mode; `undefined`: it is missing or not enabled. */
export function enabledScheme(name: string, document: Json, authentication: unknown) {
  const scheme = securityScheme(name, document)
  const own = objectOf(memberOf(authentication, 'securitySchemes', name))
  return scheme !== undefined && isOn(own) ? { scheme, own, mode: modeOfScheme(scheme, own) } : undefined
}

/** Names of methods in the extension that are enabled and in no group, so that no request would need them. */
export function methodsOutsideGroups(document: Json, authentication: unknown): readonly string[] {
  if (!isOn(authentication) || !hasAlternatives(authentication)) return []
  const required = new Set(requiredSchemes(document, authentication))
  const settings = [...settingModes.keys()].filter((name) => isOn(memberOf(authentication, name)))
  const schemes = Object.entries(objectOf(memberOf(authentication, 'securitySchemes')))
  const enabled = schemes.filter(([, own]) => isOn(own)).map(([name]) => name)
  return [...settings, ...enabled].filter((name) => !required.has(name))
}

/**
 * The groups of an API that is served. The groups come from the classic definition and the mode from the document.
 * `undefined`: there are no alternatives, so every mode that is on has to pass.
 */
export function authGroupsOf(
  classic: Readonly<ClassicDefinition>,
  document: Json | undefined,
  extension: Json | undefined,
): readonly AuthGroup[] | undefined {
  const groups = classic.securityRequirements ?? []
  const authentication = memberOf(extension, 'server', 'authentication')
  if (document === undefined || groups.length < 2 || !hasAlternatives(authentication)) return undefined
  const modes = authModesOf(classic)
  if (modes.length === 0) return undefined
  const modeOf = (name: string): AuthMode | undefined => {
    const mode = configuredMode(name, classic, document, authentication)
    return mode !== undefined && modes.includes(mode) ? mode : undefined
  }
  return groups.map((names) => (names ?? []).map((name) => ({ name, mode: modeOf(name) })))
}

function configuredMode(
  name: string,
  { authConfigs }: Readonly<ClassicDefinition>,
  document: Json,
  authentication: unknown,
): AuthMode | undefined {
  const scheme = enabledScheme(name, document, authentication)
  if (scheme !== undefined) return scheme.mode.name
  const named = Object.entries(authConfigs ?? {}).find(([, config]) => config.name === name)?.[0]
  return settingModes.get(name) ?? authModes.find(({ configName }) => configName === named)?.name
}
