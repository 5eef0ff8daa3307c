/** POST /svc/apis: writes a definition file. Source: docs/reference/api-management.md#create-checks, docs/reference/versions.md#creating-a-version. */
import {
  type ApiDefinition,
  checkVersionParams,
  classicShape,
  isSafeApiId,
  readVersionParams,
  type VersionParams,
  withVersion,
} from '@turnpike/core'
import { done, failure, type Reply } from '../http/reply.ts'
import { warningsOf } from '../http/warnings.ts'
import { doneResponse } from '../keys/key-reply.ts'
import type { Call, Operation } from '../operation.ts'
import { changeNote, findApi, invalidApiId, refuseByDashboard } from './api-replies.ts'
import { readDefinition } from './read-definition.ts'
import { rewriteBase, writeDefinition } from './write-definition.ts'

export const addApi: Operation = {
  ...changeNote,
  id: 'addApi',
  method: 'POST',
  path: '/svc/apis',
  summary: 'Write a definition; one with the same id is replaced',
  query: [
    { name: 'base_api_id', description: 'Makes the definition a version of this API' },
    { name: 'base_api_version_name', description: 'Name of the version that the base itself is' },
    { name: 'new_version_name', description: 'Name of the new version' },
    { name: 'set_default', description: '`true`: the new version is the default' },
  ],
  body: { schema: classicShape.schema, description: 'The definition; without `api_id` it gets a random one' },
  responses: {
    200: doneResponse,
    400: 'The body cannot be parsed, or the definition is not valid',
    422: 'The new version has no name',
    500: 'The file cannot be written',
  },
  handle,
}

export const addApiAt: Operation = {
  ...addApi,
  id: 'addApiAt',
  path: '/svc/apis/{id}',
  summary: 'The same; the id in the path is ignored',
}

async function handle(call: Call): Promise<Reply> {
  const closed = refuseByDashboard(call)
  if (closed !== undefined) return closed
  const params = readVersionParams((name) => call.query.get(name))
  const base = params.baseApiId === '' ? undefined : findApi(call, params.baseApiId)
  const unfit = checkVersionParams(params, base?.document.definition)
  if (unfit !== undefined) return failure(unfit.status, unfit.message)

  const read = await readDefinition(call)
  if (read.refusal) return read.refusal
  const apiId = read.value.apiId === '' ? call.management.ids.uuid() : read.value.apiId
  if (!isSafeApiId(apiId)) return invalidApiId
  const refusal =
    (await writeDefinition(call, { ...read.value, apiId })) ?? (await addToBase(call, base, params, apiId))
  return refusal ?? done(apiId, 'added', warningsOf(read.ineffective))
}

async function addToBase(
  call: Call,
  base: ApiDefinition | undefined,
  params: VersionParams,
  childId: string,
): Promise<Reply | undefined> {
  if (base === undefined) return undefined
  return rewriteBase(call, base, (versions) => withVersion(versions, params, childId))
}
