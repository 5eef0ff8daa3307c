/** Wire form of OAuth clients, shared by their handlers. Source: docs/reference/oauth-clients.md#client-object. */
import type { ApiDefinition } from '@turnpike/core/definition'
import { anything, described, type JsonSchema, type Of, object, text } from '@turnpike/core/lib'
import { failure, json, type Reply } from '../http/reply.ts'
import type { OAuthClient } from '../oauth/oauth-records.ts'
import type { Call, ResponseNote } from '../operation.ts'

/** Body of calls. All fields are optional. */
export const clientBodyShape = object({
  clientId: text,
  secret: text,
  apiId: described('For create: the API; empty: every OAuth API of the policy', text),
  policyId: text,
  redirectUri: text,
  metaData: anything,
  description: text,
})
export type ClientBody = Of<typeof clientBodyShape>

/** A client in responses: without its API, and without an empty policy. */
export function toWireClient({ id, secret, redirectUri, policyId, metaData, description }: OAuthClient): object {
  return {
    client_id: id,
    secret,
    redirect_uri: redirectUri,
    ...(policyId === '' ? {} : { policy_id: policyId }),
    meta_data: metaData,
    description,
  }
}

export const clientSchema: JsonSchema = {
  type: 'object',
  required: ['client_id', 'secret', 'redirect_uri', 'meta_data', 'description'],
  properties: {
    client_id: { type: 'string' },
    secret: { type: 'string' },
    redirect_uri: { type: 'string' },
    policy_id: { type: 'string' },
    meta_data: {},
    description: { type: 'string' },
  },
}

export const clientResponse: ResponseNote = { description: 'The client', schema: clientSchema }
export const malformedClient: Reply = failure(500, 'Unmarshalling failed')
export const clientNotFound: Reply = failure(404, 'OAuth Client ID not found')
export const apiNotFound: Reply = failure(404, "API doesn't exist")

export function showClient(client: OAuthClient): Reply {
  return json(toWireClient(client))
}

/** Whether the API has clients: it issues OAuth tokens or accepts signed ones. */
export function hasClients({ document }: ApiDefinition): boolean {
  return document.useOauth2 || document.enableJwt
}

/** Loaded OAuth APIs of an organisation, or of all if it is empty. */
export function oauthApisOf({ management }: Call, orgId: string): readonly ApiDefinition[] {
  return management.definitions().filter((api) => hasClients(api) && (orgId === '' || api.orgId === orgId))
}

/** Runs a handler; if the store fails, returns `failed` instead. */
export async function orStoreFailure(call: Call, work: () => Promise<Reply>, failed: Reply): Promise<Reply> {
  try {
    return await work()
  } catch (error) {
    call.management.log.error('a call on OAuth clients failed', { reason: String(error) })
    return failed
  }
}
