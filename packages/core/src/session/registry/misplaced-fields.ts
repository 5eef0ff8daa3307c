/**
 * Finds fields of an access right that do not apply to their API: MCP fields on an API that is not an MCP proxy, and
 * REST or GraphQL fields on an MCP proxy. The check applies to keys and policies.
 * Source: docs/reference/sessions.md#session-fields.
 */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import type { AccessRight } from '../../ports/session.ts'

/** Returns the message of the first misplaced field in the order of API ids, or `undefined`. Skips APIs that are not loaded. */
export function findMisplacedFields(
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
  return undefined
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
