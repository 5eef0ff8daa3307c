/** DELETE /svc/oauth/tokens?scope=lapsed. Source: docs/reference/oauth-clients.md#purging-expired-tokens. */
import { failure, ok } from '../../http/reply.ts'
import { type Operation, queryOf } from '../../operation.ts'
import { orStoreFailure } from './client-wire.ts'

export const purgeTokens: Operation = {
  id: 'purgeExpiredOAuthTokens',
  method: 'DELETE',
  path: '/svc/oauth/tokens',
  tag: 'oauth',
  summary: 'Remove tokens that expired more than `oauth_token_expired_retain_period` seconds ago',
  query: [{ name: 'scope', description: '`lapsed`' }],
  responses: {
    200: 'lapsed tokens purged',
    400: 'unknown scope',
    422: 'scope parameter is required',
    500: 'error purging lapsed tokens',
  },
  async handle(call) {
    if (!call.query.has('scope')) return failure(422, 'scope parameter is required')
    if (queryOf(call, 'scope') !== 'lapsed') return failure(400, 'unknown scope')
    const purge = async () => {
      await call.management.oauth.purgeExpired()
      return ok('lapsed tokens purged')
    }
    return orStoreFailure(call, purge, failure(500, 'error purging lapsed tokens'))
  },
}
