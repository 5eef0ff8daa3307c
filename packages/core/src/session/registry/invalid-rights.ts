/**
 * Finds what is wrong with the access rights of keys and policies: MCP fields on an API that is not an MCP proxy, REST or
 * GraphQL fields on an MCP proxy, and paths that are not valid patterns.
 * Source: docs/reference/sessions.md#session-fields.
 */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import { compilePathPattern } from '../../lib/regex/path-pattern.ts'
import { printJsonPath } from '../../lib/shape/json-path.ts'
import type { JsonPath } from '../../lib/shape/shape.ts'
import type { AccessRight } from '../../ports/session.ts'

export interface InvalidPattern {
  /** Path of the pattern in the session or policy. */
  readonly path: JsonPath
  readonly message: string
}

/**
 * Returns the message of the first misplaced field in the order of API ids, of the first invalid pattern, or `undefined`.
 * Fields of APIs that are not loaded are not looked at.
 */
export function findInvalidRights(
  rights: Readonly<Record<string, AccessRight>> | null,
  findApi: (id: string) => ApiDefinition | undefined,
): string | undefined {
  for (const id of Object.keys(rights ?? {}).sort()) {
    const api = findApi(id)
    const right = rights?.[id]
    if (api === undefined || right === undefined) continue
    const isProxy = api.document.applicationProtocol === 'mcp'
    if (isProxy && hasOtherFields(right)) {
      return `HTTP/REST and GraphQL fields cannot be configured on MCP Proxies, API "${id}" is an MCP Proxy`
    }
    if (!isProxy && hasMcpFields(right)) {
      return `MCP fields can only be configured on MCP Proxies, API "${id}" is not an MCP Proxy`
    }
  }
  return findInvalidPattern(rights)
}

/** Returns the message of the first path that is not a valid pattern, or `undefined`. */
export function findInvalidPattern(rights: Readonly<Record<string, AccessRight>> | null): string | undefined {
  const [first] = invalidPatterns(rights)
  return first && `${printJsonPath(first.path)} ${first.message}`
}

/** The paths of `allowed_urls` and `endpoints` that are not valid patterns. */
export function invalidPatterns(rights: Readonly<Record<string, AccessRight>> | null): InvalidPattern[] {
  return Object.entries(rights ?? {}).flatMap(([id, { allowedUrls, endpoints }]) => {
    const at = ['access_rights', id]
    const urls = (allowedUrls ?? []).map(({ url }, i) => [[...at, 'allowed_urls', i, 'url'], url] as const)
    const paths = (endpoints ?? []).map(({ path }, i) => [[...at, 'endpoints', i, 'path'], path] as const)
    return [...urls, ...paths].flatMap(([path, pattern]) => {
      const { problem } = compilePathPattern(pattern)
      return problem === undefined ? [] : [{ path, message: `is not a valid pattern: ${problem}` }]
    })
  })
}

function hasMcpFields(right: AccessRight): boolean {
  return [right.jsonRpcMethods, right.jsonRpcMethodsAccessRights, right.mcpPrimitives, right.mcpAccessRights].some(
    isSet,
  )
}

function hasOtherFields(right: AccessRight): boolean {
  const { allowedUrls, endpoints, restrictedTypes, allowedTypes, fieldAccessRights, disableIntrospection } = right
  return disableIntrospection || [allowedUrls, endpoints, restrictedTypes, allowedTypes, fieldAccessRights].some(isSet)
}

/** Returns false for empty lists and for objects that contain only empty values. */
function isSet(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  if (typeof value === 'object' && value !== null) return Object.values(value).some(isSet)
  return Boolean(value)
}
