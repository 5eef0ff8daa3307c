/** PUT of OAuth clients: new data, or a new secret. Source: docs/reference/oauth-clients.md#updating-a-client. */
import type { ApiDefinition } from '@turnpike/core'
import { readBody } from '../../http/read-body.ts'
import { failure, type Reply } from '../../http/reply.ts'
import { type Call, type Operation, paramOf } from '../../operation.ts'
import {
  apiNotFound,
  type ClientBody,
  clientBodyShape,
  clientNotFound,
  clientResponse,
  findApi,
  malformedClient,
  orStoreFailure,
  showClient,
} from './client-wire.ts'

const storeFailed = failure(500, 'Failure in storing client data')

export const updateClient: Operation = {
  id: 'updateOAuthClient',
  method: 'PUT',
  path: '/svc/oauth/clients/{apiID}/{keyName}',
  tag: 'oauth',
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
    if (body.refusal) return body.refusal
    const api = findApi(call, paramOf(call, 'apiID'))
    if (api === undefined) return apiNotFound
    const unfit = refusePolicy(call, api, body.value.policyId)
    if (unfit !== undefined) return unfit
    return orStoreFailure(call, () => update(call, api, body.value), storeFailed)
  },
}

export const rotateSecret: Operation = {
  id: 'rotateOAuthClientSecret',
  method: 'PUT',
  path: '/svc/oauth/clients/{apiID}/{keyName}/rotate',
  tag: 'oauth',
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

function refusePolicy({ management }: Call, api: ApiDefinition, policyId: string): Reply | undefined {
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
