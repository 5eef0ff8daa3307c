/** POST and PUT of definitions: each writes `<id>.json`. Source: docs/reference/api-management.md#create-checks, docs/reference/api-management.md#update-checks. */
import { checkVersionParams, classicShape, isApiId, readVersionParams, withVersion } from '@turnpike/core/definition'
import { vendorForms } from '@turnpike/core/lib'
import { definitionWarnings } from '../calls/warnings.ts'
import { done, failure, type Reply } from '../http/reply.ts'
import { type Call, doneResponse, findApi, type Operation, paramOf } from '../operation.ts'
import { apiNotFound, invalidApiId, versionQuery, writeNote } from './api-replies.ts'
import { readDefinition } from './read-definition.ts'
import { rewriteBase, writeDefinition } from './write-definition.ts'

export const addApi: Operation = {
  ...writeNote,
  id: 'addApi',
  method: 'POST',
  path: '/svc/apis',
  summary: 'Write a definition; one with the same id is replaced',
  query: versionQuery('definition'),
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
  const params = readVersionParams((name) => call.query.get(name))
  const base = params.baseApiId === '' ? undefined : findApi(call, params.baseApiId)
  const unfit = checkVersionParams(params, base?.document.definition)
  if (unfit !== undefined) return failure(unfit.status, unfit.message)

  const read = await readDefinition(call)
  if (read.rejection) return read.rejection
  const apiId = read.value.apiId === '' ? call.management.ids.uuid() : read.value.apiId
  if (!isApiId(apiId)) return invalidApiId
  const definition = { ...read.value, apiId }
  const rejection =
    (await writeDefinition(call, definition)) ??
    (base && (await rewriteBase(call, base, (versions) => withVersion(versions, params, apiId))))
  return rejection ?? done(apiId, 'added', await definitionWarnings(call, read.ineffective, definition))
}

export const updateApi: Operation = {
  ...writeNote,
  id: 'updateApi',
  method: 'PUT',
  path: '/svc/apis/{id}',
  summary: 'Replace the definition of a loaded API',
  body: { schema: classicShape.schema, description: 'The definition; its `api_id` must be that of the path' },
  responses: {
    200: doneResponse,
    400: 'The id or the body is not fit, or the API is an OpenAPI document',
    404: 'API not found',
    500: 'The file cannot be written',
  },
  async handle(call) {
    const id = paramOf(call, 'id')
    if (!isApiId(id)) return invalidApiId
    const api = findApi(call, id)
    if (api === undefined) return apiNotFound
    if (api.document.isOas) {
      const { title } = vendorForms(call.management.settings.vendor)
      const message = `this API endpoint only supports ${title} Classic APIs; please use the appropriate ${title} OAS API endpoint`
      return failure(400, message)
    }
    const read = await readDefinition(call, ({ apiId }) => {
      if (apiId === id) return undefined
      const message = 'Request APIID does not match that in Definition! For Update operations these must match.'
      return failure(400, message)
    })
    if (read.rejection) return read.rejection
    const rejection = await writeDefinition(call, read.value)
    return rejection ?? done(id, 'modified', await definitionWarnings(call, read.ineffective, read.value))
  },
}
