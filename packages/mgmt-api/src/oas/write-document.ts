/** Writes a document and its classic form to disk, with the addresses of the gateway in `servers`. Source: docs/reference/openapi-documents.md#endpoints, docs/reference/openapi-documents.md#document-checks. */
import { type ClassicDefinition, printDefinition, sidecarNameOf, speaksMcp } from '@turnpike/core/definition'
import { type Json, listOf, memberOf } from '@turnpike/core/lib'
import { rejectForeignFile } from '../apis/write-definition.ts'
import { failedWrite } from '../http/failed-write.ts'
import type { Reply } from '../http/reply.ts'
import type { Call } from '../operation.ts'

/**
 * Writes `<id>-oas.json` (`<id>-mcp.json` for an MCP proxy) and `<id>.json`. Returns the error response if that fails.
 * Writes the document first, because the classic form is what the gateway serves and it must not exist alone.
 * `oldListenPath` is the listen path of the replaced document.
 */
export async function writeDocument(
  call: Call,
  document: Json,
  classic: ClassicDefinition,
  oldListenPath?: string,
): Promise<Reply | undefined> {
  const { files, log } = call.management
  const complete = withOwnServers(call, document, classic.proxy.listenPath, oldListenPath)
  try {
    const conflict = await rejectForeignFile(call, classic.apiId)
    if (conflict !== undefined) return conflict
    const kind = speaksMcp(classic) ? 'mcp' : 'oas'
    await files.writeDefinition(sidecarNameOf(classic.apiId, kind), JSON.stringify(complete, null, 2))
    await files.writeDefinition(classic.apiId, printDefinition(classic))
    return undefined
  } catch (error) {
    log.error('a document cannot be written', { api: classic.apiId, reason: String(error) })
    return failedWrite(error, 'Failed to create file!')
  }
}

/** Puts the gateway's addresses first in the document and removes those of the old listen path. */
function withOwnServers(call: Call, document: Json, listenPath: string, oldListenPath = listenPath): Json {
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
  const path = listenPath.replace(/^\/+/, '').replace(/(?<!\/)\/+$/, '')
  return [`${management.options.gatewayUrl ?? new URL(request.url).origin}/${path}`, `/${path}`]
}
