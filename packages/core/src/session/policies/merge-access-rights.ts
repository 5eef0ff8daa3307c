/** Merges the access rights of several policies on one API. The arguments are not changed. */
import { type AccessRight, type AllowedUrl, accessRightShape } from '../../ports/session.ts'

/** Merges versions, allowed URLs and fields of two rights, in order. `merge-limits.ts` merges limits and endpoint rates. */
export function mergeAccessRights(first: AccessRight, second: AccessRight): AccessRight {
  return {
    ...first,
    versions: uniteTexts(first.versions, second.versions),
    allowedUrls: uniteUrls(first.allowedUrls, second.allowedUrls),
    disableIntrospection: first.disableIntrospection || second.disableIntrospection,
    restrictedTypes: first.restrictedTypes ?? second.restrictedTypes,
    allowedTypes: first.allowedTypes ?? second.allowedTypes,
    fieldAccessRights: first.fieldAccessRights ?? second.fieldAccessRights,
    jsonRpcMethods: first.jsonRpcMethods ?? second.jsonRpcMethods,
    jsonRpcMethodsAccessRights: first.jsonRpcMethodsAccessRights ?? second.jsonRpcMethodsAccessRights,
    mcpPrimitives: first.mcpPrimitives ?? second.mcpPrimitives,
    mcpAccessRights: first.mcpAccessRights ?? second.mcpAccessRights,
  }
}

/** Makes a right that allows nothing. */
export function emptyRight(): AccessRight {
  return accessRightShape.zero()
}

function uniteTexts(first: readonly string[] | null, second: readonly string[] | null): string[] | null {
  if (first === null && second === null) return null
  return [...new Set([...(first ?? []), ...(second ?? [])])]
}

function uniteUrls(first: readonly AllowedUrl[] | null, second: readonly AllowedUrl[] | null): AllowedUrl[] | null {
  if (first === null && second === null) return null
  const united: AllowedUrl[] = []
  for (const entry of [...(first ?? []), ...(second ?? [])]) {
    const at = united.findIndex((other) => other.url === entry.url)
    const known = united[at]
    if (known === undefined) united.push(entry)
    else united[at] = { url: entry.url, methods: uniteTexts(known.methods, entry.methods) }
  }
  return united
}
