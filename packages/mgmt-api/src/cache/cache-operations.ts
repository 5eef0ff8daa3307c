/** DELETE of cached responses and key sets. Source: docs/reference/jwt.md#json-web-tokens, docs/reference/transforms.md#response-chain. */
import { failure, ok } from '../http/reply.ts'
import { type Call, type Operation, paramOf } from '../operation.ts'

const forget = {
  method: 'DELETE',
  responses: { 200: 'cache invalidated' },
  handle({ management, params }: Call) {
    // Without an API in the path: those of all APIs.
    management.forgetKeySets?.(params['apiID'])
    return ok('cache invalidated')
  },
} satisfies Partial<Operation>

export const forgetAllKeySets: Operation = {
  ...forget,
  id: 'forgetAllKeySets',
  path: '/svc/cache/jwks',
  summary: 'Forget the key sets of token issuers of all APIs',
}

export const forgetKeySets: Operation = {
  ...forget,
  id: 'forgetKeySets',
  path: '/svc/cache/jwks/{apiID}',
  summary: 'Forget the key sets of token issuers of an API; unknown ids are fine',
}

export const invalidateCache: Operation = {
  id: 'invalidateCache',
  method: 'DELETE',
  path: '/svc/cache/{id}',
  summary: 'Empty the response cache of an API; unknown ids are fine',
  responses: { 200: 'cache invalidated', 500: 'Cache invalidation failed' },
  async handle(call) {
    const { invalidateCache: invalidate, signals, log } = call.management
    const apiId = paramOf(call, 'id')
    try {
      // This node first: after the response it serves nothing old, even if signals to others are slow.
      await invalidate?.(apiId)
      await signals.publish({ kind: 'cache-invalidated', apiId })
      return ok('cache invalidated')
    } catch (error) {
      log.error('a cache could not be invalidated', { api: apiId, reason: String(error) })
      return failure(500, 'Cache invalidation failed')
    }
  },
}
