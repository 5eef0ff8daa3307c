/** The gateway's own addresses in `servers`. Source: docs/reference/openapi-documents.md#document-checks. */
import { type Json, listOf, memberOf } from '@turnpike/core'
import type { Call } from '../operation.ts'

/** Puts the gateway's addresses first in the document and removes those of the old listen path. */
export function withOwnServers(call: Call, document: Json, listenPath: string, oldListenPath = listenPath): Json {
  const own = ownUrls(call, listenPath)
  const stale = new Set([...own, ...ownUrls(call, oldListenPath)])
  const others = listOf(document['servers']).filter((server) => !stale.has(memberOf(server, 'url') as string))
  return { ...document, servers: [...own.map((url) => ({ url })), ...others] }
}

/** The servers that the user wrote. */
export function withoutOwnServers(call: Call, document: Json, listenPath: string): readonly unknown[] {
  const own = ownUrls(call, listenPath)
  return listOf(document['servers']).filter((server) => !own.includes(memberOf(server, 'url') as string))
}

function ownUrls({ management, request }: Call, listenPath: string): readonly string[] {
  const path = listenPath.replace(/^\/+/, '').replace(/\/+$/, '')
  return [`${management.options.gatewayUrl ?? new URL(request.url).origin}/${path}`, `/${path}`]
}
