/** DELETE /svc/apis/{id}: removes `<id>.json` and its sidecar document. Source: docs/reference/api-management.md#classic-endpoints, docs/reference/versions.md#creating-a-version. */
import {
  type ApiDefinition,
  baseOf,
  isApiId,
  sidecarNameOf,
  speaksMcp,
  withoutVersion,
} from '@turnpike/core/definition'
import { failedWrite } from '../http/failed-write.ts'
import { done, failure, type Reply } from '../http/reply.ts'
import { type Call, doneResponse, findApi, type Operation, paramOf } from '../operation.ts'
import { apiNotFound, changeNote, isMcpProxy } from './api-replies.ts'
import { rewriteBase } from './write-definition.ts'

export const deleteApi: Operation = {
  ...changeNote,
  id: 'deleteApi',
  method: 'DELETE',
  path: '/svc/apis/{id}',
  summary: 'Remove the definition of a loaded API',
  responses: { 200: doneResponse, 404: 'API not found', 500: 'Its file has another name, or cannot be removed' },
  async handle(call) {
    const id = paramOf(call, 'id')
    // A definition may come from a file with another name; that file stays.
    const api = findApi(call, id)
    if (api === undefined) return apiNotFound
    // An MCP proxy has another kind of document, so nothing is removed.
    return isMcpProxy(api) ? failure(500, 'Delete failed') : removeApi(call, api)
  },
}

/** Removes the definition, its sidecar document, and its entry in the base API. */
export async function removeApi(call: Call, { id, document }: ApiDefinition): Promise<Reply> {
  const { log, definitions } = call.management
  const names = document.isOas ? [sidecarNameOf(id, speaksMcp(document) ? 'mcp' : 'oas'), id] : [id]
  try {
    const removed = isApiId(id) && (await removeAll(call, names))
    if (!removed) return failure(500, 'Delete failed')
  } catch (error) {
    log.error('a definition cannot be removed', { api: id, reason: String(error) })
    return failedWrite(error, 'Delete failed')
  }
  const base = baseOf(id, definitions())
  const rejection = base && (await rewriteBase(call, base, (versions) => withoutVersion(versions, id)))
  return rejection ?? done(id, 'deleted')
}

/** Returns true if all files existed. */
async function removeAll(call: Call, names: readonly string[]): Promise<boolean> {
  let all = true
  for (const name of names) all = (await call.management.files.removeDefinition(name)) && all
  return all
}
