/**
 * Calls that create, change and remove keys, policies and APIs. Each checks the viewer and the version of the document and
 * then makes the call of the management API, so that validation, files and warnings are the same.
 */
import { parseJson } from '@turnpike/core'
import type { DashboardServices } from '../dashboard-services.ts'
import { readLongText } from '../http/read-text.ts'
import { failure, notFound, ok } from '../http/reply.ts'
import type { KeyListCache } from '../read/key-list-cache.ts'
import type { ReadCall, ReadOperation } from '../read/read-api.ts'
import { versionOf } from './document-version.ts'
import { makeEditedApis } from './edited-apis.ts'
import { makeEditedKeys } from './edited-keys.ts'
import { makeEditedPolicies } from './edited-policies.ts'
import { makeSecretHider } from './hide-secrets.ts'
import { type EditedResource, type Members, membersOf, type Stored, textOf } from './resource.ts'

export function makeEditOperations(parts: DashboardServices, keyLists: KeyListCache): readonly ReadOperation[] {
  const edits = makeEdits(parts)
  const resources = [makeEditedKeys(parts, keyLists), makeEditedPolicies(parts), makeEditedApis(parts)]
  return resources.flatMap((resource): ReadOperation[] => {
    const needs = [resource.area, 'write'] as const
    const [list, one] = [`/edit/${resource.area}`, `/edit/${resource.area}/:name`]
    return [
      { method: 'GET', path: one, needs, handle: (call) => edits.show(resource, call) },
      { method: 'POST', path: list, needs, handle: (call) => edits.create(resource, call) },
      { method: 'PUT', path: one, needs, handle: (call) => edits.replace(resource, call) },
      { method: 'DELETE', path: one, needs, handle: (call) => edits.remove(resource, call) },
    ]
  })
}

type Edit = (resource: EditedResource, call: ReadCall) => Promise<Response>

/** Edits run one after the other, so that no other edit of this process comes between a check and its write. */
function makeEdits(parts: DashboardServices): Record<'show' | 'create' | 'replace' | 'remove', Edit> {
  const { gateway, log } = parts
  const secrets = makeSecretHider()
  let last: Promise<unknown> = Promise.resolve()
  const inTurn =
    (edit: Edit): Edit =>
    (resource, call) => {
      const mine = last.then(() => edit(resource, call))
      last = mine.catch(() => undefined)
      return mine
    }

  const finish = async (resource: EditedResource, done: Done, who: ReadCall): Promise<Response> => {
    log.info('the dashboard changed a document', {
      ...{
        action: done.action,
        kind: resource.noun,
        user: who.viewer.user.EmailAddress,
        organisation: who.viewer.user.OrgID,
      },
    })
    resource.changed?.()
    const report = resource.needsReload ? await gateway.reload() : undefined
    const failed = report?.failed.find(
      ({ source }) => source.endsWith(`${done.id}.json`) || source.endsWith(`${done.id}-oas.json`),
    )
    const problem = failed?.reason ?? (resource.area === 'policies' ? report?.policies.problem : undefined)
    return ok(done.action, {
      id: done.id,
      warnings: done.warnings,
      ...(done.shownOnce === undefined ? {} : { key: done.shownOnce }),
      ...(problem === undefined ? {} : { problem }),
    })
  }

  return {
    async show(resource, { viewer, name }) {
      const stored = await resource.find(viewer, name)
      if (stored === undefined) return notFound()
      return ok('', { document: secrets.hide(stored.document), version: versionOf(stored.document) })
    },
    create: inTurn(async (resource, call) => {
      const read = await readDocument(call)
      if ('rejection' in read) return read.rejection
      const document = resource.withOrg(call.viewer, read.document)
      const problem = resource.findProblem(call.viewer, document)
      if (problem !== undefined) return failure(400, problem)
      const conflict = resource.findConflict(document)
      if (conflict !== undefined) return failure(409, conflict)
      const restored = secrets.restore(document, {})
      if ('problem' in restored) return failure(400, restored.problem)
      const reply = await gateway.manage('POST', resource.createPath(document), JSON.stringify(restored.document))
      const done = toDone(reply, 'created')
      if ('rejection' in done) return done.rejection
      const shownOnce = resource.area === 'keys' ? { shownOnce: done.id, id: '' } : {}
      return finish(resource, { ...done, ...shownOnce }, call)
    }),
    replace: inTurn(async (resource, call) => {
      const found = await current(parts, resource, call)
      if ('rejection' in found) return found.rejection
      const read = await readDocument(call)
      if ('rejection' in read) return read.rejection
      const document = resource.withOrg(call.viewer, read.document)
      const problem = resource.findProblem(call.viewer, document)
      if (problem !== undefined) return failure(400, problem)
      const restored = secrets.restore(document, found.document)
      if ('problem' in restored) return failure(400, restored.problem)
      const done = toDone(await gateway.manage('PUT', found.path, JSON.stringify(restored.document)), 'saved')
      if ('rejection' in done) return done.rejection
      return finish(resource, { ...done, id: call.name }, call)
    }),
    remove: inTurn(async (resource, call) => {
      const found = await current(parts, resource, call)
      if ('rejection' in found) return found.rejection
      const done = toDone(await gateway.manage('DELETE', found.path), 'deleted')
      if ('rejection' in done) return done.rejection
      return finish(resource, { ...done, id: call.name }, call)
    }),
  }
}

/**
 * The stored document, if the caller knows its version. Files can have been changed without a reload, so definitions and
 * policies are reloaded first.
 */
async function current(
  { gateway }: DashboardServices,
  resource: EditedResource,
  { viewer, name, request }: ReadCall,
): Promise<Stored | { readonly rejection: Response }> {
  const version = request.headers.get('if-match')
  if (version === null) return { rejection: failure(428, 'If-Match must contain the version of the document') }
  if (resource.needsReload) await gateway.reload()
  const stored = await resource.find(viewer, name)
  if (stored === undefined) return { rejection: notFound() }
  if (versionOf(stored.document) === version) return stored
  const message = `This ${resource.noun} was changed after you opened it. Load the current version and repeat your changes`
  return { rejection: failure(412, message) }
}

async function readDocument({
  request,
  bodyTooLong,
}: ReadCall): Promise<{ readonly document: Members } | { readonly rejection: Response }> {
  const text = bodyTooLong ? undefined : await readLongText(request)
  if (text === undefined) return { rejection: failure(413, 'The document is longer than 1 MiB, or is not UTF-8') }
  const parsed = parseJson(text)
  if (parsed.problem !== undefined) {
    const { line, column, message } = parsed.problem
    return { rejection: failure(400, `Line ${line}, column ${column}: ${message}`) }
  }
  const { value } = parsed
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { rejection: failure(400, 'The document must be a JSON object') }
  }
  return { document: value as Members }
}

interface Done {
  readonly action: 'created' | 'saved' | 'deleted'
  readonly id: string
  readonly warnings: readonly string[]
  /** The credential of a new key. */
  readonly shownOnce?: string
}

function toDone(
  { status, body }: { readonly status: number; readonly body: unknown },
  action: Done['action'],
): Done | { readonly rejection: Response } {
  const members = membersOf(body)
  if (status >= 300)
    return { rejection: failure(status, textOf(members, 'message') || `The gateway responded with ${status}`) }
  const warnings = Array.isArray(members['warnings']) ? members['warnings'].map(String) : []
  return { action, id: textOf(members, 'key'), warnings }
}
