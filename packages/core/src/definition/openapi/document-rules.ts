/**
 * Rules of OpenAPI and of the extension that schemas cannot express. Source:
 * docs/reference/openapi-documents.md#document-checks.
 */
import { isOn, type Json, listOf, memberOf, objectOf, textOf } from '../../lib/json.ts'
import { extensionName, extensionOf } from './extension.ts'
import { type DocumentOperation, deref, operationsOf } from './operations.ts'
import { enabledScheme, requiredSchemes, securityScheme } from './security-groups.ts'

/** The message about the first operation whose path parameters are not those of its path. */
export function invalidPathParameters(document: Json): string | undefined {
  for (const operation of operationsOf(document)) {
    const { method, path } = operation
    const wrong = wrongParameters(document, operation)
    if (wrong.length === 0) continue
    return `invalid paths: operation ${method} ${path} must define exactly all path parameters (${wrong.join(', ')})`
  }
  return undefined
}

function wrongParameters(document: Json, { path, operation, parameters }: DocumentOperation): readonly string[] {
  const inPath = [...path.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] as string)
  const defined = parameters.filter((parameter) => parameter['in'] === 'path').map(({ name }) => textOf(name))
  // A parameter of the path item may be replaced by one of the operation; within a list, names are unique.
  const listed = listOf(operation['parameters']).map((given) => deref(document, given))
  const keys = listed.map((given) => `${textOf(given?.['name'])} in ${textOf(given?.['in'])}`)
  const lists: readonly (readonly [what: string, names: readonly string[]])[] = [
    ['missing', inPath.filter((name) => !defined.includes(name))],
    ['not in the path', defined.filter((name) => !inPath.includes(name))],
    ['twice', [...repeated(inPath), ...repeated(keys)]],
  ]
  return lists.filter(([, names]) => names.length > 0).map(([what, names]) => `${what}: [${names.join(' ')}]`)
}

function repeated(names: readonly string[]): readonly string[] {
  return names.filter((name, i) => names.indexOf(name) < i)
}

/** The message about the first setting of the security that cannot work as its author expects. */
export function inconsistentSecurity(document: Json, vendor: string): string | undefined {
  const authentication = memberOf(extensionOf(document, vendor), 'server', 'authentication')
  return wrongSchemeName(document) ?? (isOn(authentication) ? wrongScheme(document, authentication, vendor) : undefined)
}

/** Names of HTTP authentication schemes are in lower case in OpenAPI documents. */
function wrongSchemeName(document: Json): string | undefined {
  for (const name of Object.keys(objectOf(memberOf(document, 'components', 'securitySchemes')))) {
    const { type, scheme } = securityScheme(name, document) ?? {}
    const lower = textOf(scheme).toLowerCase()
    if (type !== 'http' || scheme === lower) continue
    const value = JSON.stringify(scheme ?? null)
    const fix = lower === '' ? 'basic or bearer' : lower
    return `invalid components: security scheme "${name}": 'scheme' has the invalid value ${value}; write ${fix}`
  }
  return undefined
}

function wrongScheme(document: Json, authentication: unknown, vendor: string): string | undefined {
  const schemes = objectOf(memberOf(authentication, 'securitySchemes'))
  const at = (name: string) => `${extensionName(vendor)}.server.authentication.securitySchemes.${name}`
  for (const [name, own] of Object.entries(schemes)) {
    if (!isOn(own) || securityScheme(name, document) !== undefined) continue
    return `${at(name)} is enabled, but components.securitySchemes does not define "${name}"; define it there`
  }
  const settings = new Set(Object.keys(objectOf(authentication)))
  for (const name of requiredSchemes(document, authentication)) {
    if (securityScheme(name, document) === undefined && !settings.has(name)) {
      return `security requires "${name}", which components.securitySchemes does not define; define it there, or remove it from security`
    }
    const enabled = enabledScheme(name, document, authentication)
    if (enabled?.mode.name !== 'jwt' || ['header', 'query', 'cookie'].some((place) => place in enabled.own)) continue
    return `${at(name)} does not say where the token is; add "header": {"enabled": true, "name": "Authorization"}, query or cookie`
  }
  return undefined
}
