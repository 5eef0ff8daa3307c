/** POST, PUT and DELETE of OAuth clients. Source: docs/reference/oauth-clients.md#client-endpoints. */
import type { ApiDefinition } from '@turnpike/core/definition'
import { readBody } from '../calls/read-body.ts'
import { done, failure, type Reply } from '../http/reply.ts'
import type { OAuthClient } from '../oauth/oauth-records.ts'
import { type Call, doneResponse, findApi, type Operation, paramOf } from '../operation.ts'
import {
  apiNotFound,
  type ClientBody,
  clientBodyShape,
  clientNotFound,
  clientResponse,
  hasClients,
  malformedClient,
  orStoreFailure,
  showClient,
} from './client-wire.ts'

const unknownApi = failure(400, "API doesn't exist")
const noOAuth = failure(400, 'API is not OAuth2')

export const createClient: Operation = {
  id: 'createOAuthClient',
  method: 'POST',
  path: '/svc/oauth/clients/create',
  summary: 'Create a client of an OAuth API, or replace the one with this id',
  body: {
    schema: clientBodyShape.schema,
    description:
      'Without `client_id` and `secret` both are made; without `api_id` every OAuth API of the policy gets the client',
  },
  responses: {
    200: clientResponse,
    400: "API doesn't exist; API is not OAuth2; Policy doesn't exist",
    500: 'Unmarshalling failed; Failure in storing client data.',
  },
  async handle(call) {
    const body = await readBody(call, clientBodyShape, malformedClient)
    if (body.rejection) return body.rejection
    const client = newClient(call, body.value)
    return orStoreFailure(call, () => store(call, body.value, client), failure(500, 'Failure in storing client data.'))
  },
}

function newClient({ management }: Call, body: ClientBody): OAuthClient {
  return {
    id: body.clientId === '' ? management.ids.uuid() : body.clientId,
    secret: body.secret === '' ? management.oauth.makeSecret() : body.secret,
    redirectUri: body.redirectUri,
    metaData: body.metaData,
    policyId: body.policyId,
    description: body.description,
    exactRedirect: true,
  }
}

async function store(call: Call, body: ClientBody, client: OAuthClient): Promise<Reply> {
  const put = (api: ApiDefinition) => call.management.oauth.of(api).clients.put(client)
  if (body.apiId !== '') {
    const api = findApi(call, body.apiId)
    if (api === undefined) return unknownApi
    if (!api.document.useOauth2) return noOAuth
    await put(api)
    return showClient(client)
  }
  const policy = call.management.policies().get(body.policyId)
  if (body.policyId === '' || policy === undefined) return failure(400, "Policy doesn't exist")
  let stored = false
  for (const apiId of Object.keys(policy.accessRights ?? {})) {
    const api = findApi(call, apiId)
    // APIs before the unknown one keep the client, as recorded.
    if (api === undefined) return unknownApi
    if (!hasClients(api)) continue
    await put(api)
    stored = true
  }
  return stored ? showClient(client) : noOAuth
}

const storeFailed = failure(500, 'Failure in storing client data')

export const updateClient: Operation = {
  id: 'updateOAuthClient',
  method: 'PUT',
  path: '/svc/oauth/clients/{apiID}/{keyName}',
  summary: 'Replace redirect URI, description, meta data and policy of a client',
  description:
    'What is missing is emptied. Id and secret stay. When the client had a policy and the new one differs, its access tokens are revoked.',
  body: { schema: clientBodyShape.schema, description: '`api_id`, `client_id` and `secret` are ignored' },
  responses: {
    200: clientResponse,
    400: "Policy access rights doesn't contain API this OAuth client belongs to",
    404: "API doesn't exist; Policy doesn't exist; OAuth Client ID not found",
    500: 'Unmarshalling failed; Failure in storing client data',
  },
  async handle(call) {
    const body = await readBody(call, clientBodyShape, malformedClient)
    if (body.rejection) return body.rejection
    const api = findApi(call, paramOf(call, 'apiID'))
    if (api === undefined) return apiNotFound
    const unfit = rejectPolicy(call, api, body.value.policyId)
    if (unfit !== undefined) return unfit
    return orStoreFailure(call, () => update(call, api, body.value), storeFailed)
  },
}

export const rotateSecret: Operation = {
  id: 'rotateOAuthClientSecret',
  method: 'PUT',
  path: '/svc/oauth/clients/{apiID}/{keyName}/rotate',
  summary: 'Give a client a new secret; its policy and tokens stay',
  responses: {
    200: clientResponse,
    404: "API doesn't exist; OAuth Client ID not found",
    500: 'Failure in storing client data',
  },
  async handle(call) {
    const api = findApi(call, paramOf(call, 'apiID'))
    if (api === undefined) return apiNotFound
    const { oauth } = call.management
    const { clients } = oauth.of(api)
    const rotate = async () => {
      const client = await clients.find(paramOf(call, 'keyName'))
      if (client === undefined) return clientNotFound
      const rotated = { ...client, secret: oauth.makeSecret() }
      await clients.put(rotated)
      return showClient(rotated)
    }
    return orStoreFailure(call, rotate, storeFailed)
  },
}

function rejectPolicy({ management }: Call, api: ApiDefinition, policyId: string): Reply | undefined {
  if (policyId === '') return undefined
  const policy = management.policies().find(policyId, api.orgId)
  if (policy === undefined) return failure(404, "Policy doesn't exist")
  if (Object.hasOwn(policy.accessRights ?? {}, api.id)) return undefined
  return failure(400, "Policy access rights doesn't contain API this OAuth client belongs to")
}

async function update(call: Call, api: ApiDefinition, body: ClientBody): Promise<Reply> {
  const { clients, tokens } = call.management.oauth.of(api)
  const client = await clients.find(paramOf(call, 'keyName'))
  if (client === undefined) return clientNotFound
  const { redirectUri, description, metaData, policyId } = body
  const updated = { ...client, redirectUri, description, metaData, policyId }
  await clients.put(updated)
  // Tokens contain their rights, so those of the old policy must be revoked.
  if (client.policyId !== '' && client.policyId !== policyId) await tokens.revokeAll(client.id)
  return showClient(updated)
}

export const deleteClient: Operation = {
  id: 'deleteOAuthClient',
  method: 'DELETE',
  path: '/svc/oauth/clients/{apiID}/{keyName}',
  summary: 'Remove a client; a missing one is accepted',
  responses: {
    200: doneResponse,
    404: 'OAuth Client ID not found: the API is unknown or has no OAuth',
    500: 'Delete failed',
  },
  async handle(call) {
    const api = findApi(call, paramOf(call, 'apiID'))
    if (api === undefined || !hasClients(api)) return clientNotFound
    const clientId = paramOf(call, 'keyName')
    const remove = async () => {
      await call.management.oauth.of(api).clients.remove(clientId)
      return done(clientId, 'deleted')
    }
    return orStoreFailure(call, remove, failure(500, 'Delete failed'))
  },
}
