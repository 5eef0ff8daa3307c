/**
 * Calls that create, change and remove keys, policies and APIs. Each checks the viewer and the version of the document and
 * then makes the call of the management API, so that validation, files and warnings are the same.
 */
import { parseJson } from '@turnpike/core/definition'
import { isJson, type Json, listOf, objectOf, textOf } from '@turnpike/core/lib'
import type { DashboardServices } from '../dashboard-services.ts'
import { maxDocumentBytes, readText } from '../http/read-text.ts'
import { failure, notFound, ok } from '../http/reply.ts'
import type { KeyListCache } from '../read/key-list-cache.ts'
import type { ReadCall, ReadOperation } from '../read/read-api.ts'
import { versionOf } from './document-version.ts'
import { makeEditedApis } from './edited-apis.ts'
import { makeEditedKeys } from './edited-keys.ts'
import { makeEditedPolicies } from './edited-policies.ts'
import { makeSecretHider, type SecretHider } from './hide-secrets.ts'
import type { EditedResource, Stored } from './resource.ts'

/** What the edits of all resources share. */
interface Editing extends Pick<DashboardServices, 'gateway' | 'log'> {
  readonly secrets: SecretHider
}

type Edit = (editing: Editing, resource: EditedResource, call: ReadCall) => Promise<Response>

export function makeEditOperations(parts: DashboardServices, keyLists: KeyListCache): readonly ReadOperation[] {
  const editing: Editing = { ...parts, secrets: makeSecretHider() }
  let last: Promise<unknown> = Promise.resolve()
  /** Edits run one after the other, so that no other edit of this process comes between a check and its write. */
  const inTurn = (edit: Edit, resource: EditedResource) => (call: ReadCall) => {
    const mine = last.then(() => edit(editing, resource, call))
    last = mine.catch(() => undefined)
    return mine
  }
  const resources = [makeEditedKeys(parts, keyLists), makeEditedPolicies(parts), makeEditedApis(parts)]
  return resources.flatMap((resource): ReadOperation[] => {
    const needs = [resource.area, 'write'] as const
    const [list, one] = [`/edit/${resource.area}`, `/edit/${resource.area}/:name`]
    return [
      { method: 'GET', path: one, needs, handle: (call) => show(editing, resource, call) },
      { method: 'POST', path: list, needs, handle: inTurn(create, resource) },
      { method: 'PUT', path: one, needs, handle: inTurn(replace, resource) },
      { method: 'DELETE', path: one, needs, handle: inTurn(remove, resource) },
    ]
  })
}

async function show({ secrets }: Editing, resource: EditedResource, { viewer, name }: ReadCall): Promise<Response> {
  const stored = await resource.find(viewer, name)
  if (stored === undefined) return notFound()
  return ok('', { document: secrets.hide(stored.document), version: versionOf(stored.document) })
}

async function create(editing: Editing, resource: EditedResource, call: ReadCall): Promise<Response> {
  const document = await readDocument(resource, call)
  if (document instanceof Response) return document
  if (resource.needsReload) await editing.gateway.reload()
  const conflict = resource.findConflict(document)
  if (conflict !== undefined) return failure(409, conflict)
  const restored = editing.secrets.restore(document, {})
  if ('problem' in restored) return failure(400, restored.problem)
  const path = resource.createPath(document)
  return change(editing, resource, call, { action: 'created', method: 'POST', path, document: restored.document })
}

async function replace(editing: Editing, resource: EditedResource, call: ReadCall): Promise<Response> {
  const stored = await findCurrent(editing, resource, call)
  if (stored instanceof Response) return stored
  const document = await readDocument(resource, call)
  if (document instanceof Response) return document
  const restored = editing.secrets.restore(document, stored.document)
  if ('problem' in restored) return failure(400, restored.problem)
  const { path } = stored
  return change(editing, resource, call, { action: 'saved', method: 'PUT', path, document: restored.document })
}

async function remove(editing: Editing, resource: EditedResource, call: ReadCall): Promise<Response> {
  const stored = await findCurrent(editing, resource, call)
  if (stored instanceof Response) return stored
  return change(editing, resource, call, { action: 'deleted', method: 'DELETE', path: stored.path })
}

/**
 * The stored document, if the caller knows its version. Files can have been changed without a reload, so definitions and
 * policies are reloaded first.
 */
async function findCurrent(
  { gateway }: Editing,
  resource: EditedResource,
  { viewer, name, request }: ReadCall,
): Promise<Stored | Response> {
  const version = request.headers.get('if-match')
  if (version === null) return failure(428, 'If-Match must contain the version of the document')
  if (resource.needsReload) await gateway.reload()
  const stored = await resource.find(viewer, name)
  if (stored === undefined) return notFound()
  if (versionOf(stored.document) === version) return stored
  const message = `This ${resource.noun} was changed after you opened it. Load the current version and repeat your changes`
  return failure(412, message)
}

/** The document of the body, with an organisation, if the viewer may save it. */
async function readDocument(
  resource: EditedResource,
  { viewer, request, bodyTooLong }: ReadCall,
): Promise<Json | Response> {
  const text = bodyTooLong ? undefined : await readText(request, maxDocumentBytes)
  if (text === undefined) return failure(413, 'The document is longer than 1 MiB, or is not UTF-8')
  const parsed = parseJson(text)
  if (parsed.problem !== undefined) {
    const { line, column, message } = parsed.problem
    return failure(400, `Line ${line}, column ${column}: ${message}`)
  }
  if (!isJson(parsed.value)) return failure(400, 'The document must be a JSON object')
  const document = resource.withOrg(viewer, parsed.value)
  const problem = resource.findProblem(viewer, document)
  return problem === undefined ? document : failure(400, problem)
}

interface Change {
  readonly action: 'created' | 'saved' | 'deleted'
  readonly method: 'POST' | 'PUT' | 'DELETE'
  /** Of the management call. */
  readonly path: string
  readonly document?: unknown
}

/** Makes the management call, and a reload if the change needs one to take effect. */
async function change(
  { gateway, log }: Editing,
  resource: EditedResource,
  { viewer, name }: ReadCall,
  { action, method, path, document }: Change,
): Promise<Response> {
  const reply = await gateway.manage(method, path, document === undefined ? undefined : JSON.stringify(document))
  const members = objectOf(reply.body)
  if (reply.status >= 300) {
    return failure(reply.status, textOf(members['message']) || `The gateway responded with ${reply.status}`)
  }
  const { EmailAddress: user, OrgID: organisation } = viewer.user
  log.info('the dashboard changed a document', { action, kind: resource.noun, user, organisation })
  resource.changed?.()
  // The name of a new key is its credential, which is shown once and is no id.
  const isNewKey = action === 'created' && resource.area === 'keys'
  const key = textOf(members['key'])
  const newId = isNewKey ? '' : key
  const id = action === 'created' ? newId : name
  const report = resource.needsReload ? await gateway.reload() : undefined
  const files = [`${id}.json`, `${id}-oas.json`]
  const failed = report?.failed.find(({ source }) => files.some((file) => source.endsWith(file)))
  const problem = failed?.reason ?? (resource.area === 'policies' ? report?.policies.problem : undefined)
  return ok(action, {
    id,
    warnings: listOf(members['warnings']).map(String),
    ...(isNewKey ? { key } : {}),
    ...(problem === undefined ? {} : { problem }),
  })
}
