/** DELETE /svc/oauth/clients/{apiID}/{keyName}: removes a client; its tokens stop working. Source: docs/reference/oauth-clients.md#client-endpoints. */
import { done, failure } from '../../http/reply.ts'
import { doneResponse } from '../../keys/key-reply.ts'
import { type Operation, paramOf } from '../../operation.ts'
import { clientNotFound, findApi, hasClients, orStoreFailure } from './client-wire.ts'

export const deleteClient: Operation = {
  id: 'deleteOAuthClient',
  method: 'DELETE',
  path: '/svc/oauth/clients/{apiID}/{keyName}',
  tag: 'oauth',
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
