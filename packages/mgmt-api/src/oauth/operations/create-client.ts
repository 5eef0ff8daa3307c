/** POST /svc/oauth/clients/create. Source: docs/reference/oauth-clients.md#creating-a-client. */
import type { ApiDefinition } from '@turnpike/core'
import { readBody } from '../../http/read-body.ts'
import { failure, type Reply } from '../../http/reply.ts'
import type { Call, Operation } from '../../operation.ts'
import type { OAuthClient } from '../oauth-records.ts'
import {
  type ClientBody,
  clientBodyShape,
  clientResponse,
  findApi,
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
  tag: 'oauth',
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
    if (body.refusal) return body.refusal
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
