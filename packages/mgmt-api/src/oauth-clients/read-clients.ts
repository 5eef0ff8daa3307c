/** GET of OAuth clients: all of an API, one client, and the APIs of a client. Source: docs/reference/oauth-clients.md#client-endpoints. */
import { json, type Reply } from '../http/reply.ts'
import { type Call, findApi, type Operation, paramOf, queryOf } from '../operation.ts'
import { clientNotFound, clientResponse, clientSchema, oauthApisOf, showClient, toWireClient } from './client-wire.ts'

export const listClients: Operation = {
  id: 'listOAuthClients',
  method: 'GET',
  path: '/svc/oauth/clients/{apiID}',
  summary: 'All clients of an API',
  responses: {
    200: { description: 'The clients', schema: { type: 'array', items: clientSchema } },
    404: { description: 'The API is unknown; the body is `null`', schema: { type: 'null' } },
  },
  async handle(call) {
    const api = findApi(call, paramOf(call, 'apiID'))
    if (api === undefined) return json(null, 404)
    const clients = await call.management.oauth.of(api).clients.list()
    return json(clients.map(toWireClient))
  },
}

export const listApisOfClient: Operation = {
  id: 'listApisOfOAuthClient',
  method: 'GET',
  path: '/svc/oauth/clients/apis/{clientID}',
  summary: 'The APIs of an organisation that have a client',
  query: [
    { name: 'orgID', description: 'The organisation; without it the call looks for a client of an API named `apis`' },
  ],
  responses: {
    200: { description: 'Ids of APIs', schema: { type: 'array', items: { type: 'string' } } },
    404: 'OAuth Client ID not found',
  },
  async handle(call) {
    const clientId = paramOf(call, 'clientID')
    const orgId = queryOf(call, 'orgID')
    if (!call.query.has('orgID')) return showOne(call, 'apis', clientId)
    // No API belongs to an empty organisation.
    if (orgId === '') return json([])
    const known: string[] = []
    for (const api of oauthApisOf(call, orgId)) {
      if ((await call.management.oauth.of(api).clients.find(clientId)) !== undefined) known.push(api.id)
    }
    return json(known)
  },
}

export const getClient: Operation = {
  id: 'getOAuthClient',
  method: 'GET',
  path: '/svc/oauth/clients/{apiID}/{keyName}',
  summary: 'A client of an API; `keyName` is its `client_id`',
  responses: { 200: clientResponse, 404: 'OAuth Client ID not found' },
  handle: (call) => showOne(call, paramOf(call, 'apiID'), paramOf(call, 'keyName')),
}

async function showOne(call: Call, apiId: string, clientId: string): Promise<Reply> {
  const api = findApi(call, apiId)
  if (api === undefined) return clientNotFound
  const client = await call.management.oauth.of(api).clients.find(clientId)
  return client === undefined ? clientNotFound : showClient(client)
}
