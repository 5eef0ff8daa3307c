/**
 * Fields of an access right that do not fit the kind of their API: MCP fields elsewhere than on MCP proxies, and the
 * others on MCP proxies. Keys and policies are checked alike. Source: docs/reference/sessions.md#session-fields.
 */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import type { AccessRight } from '../../ports/session.ts'

/** The first misplaced field's message, by API id in order; `undefined` when all fit. APIs not loaded are not checked. */
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

/** Whether a value says anything: empty lists, and objects of nothing but such, do not. */
function isSet(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  if (typeof value === 'object' && value !== null) return Object.values(value).some(isSet)
  return Boolean(value)
}
