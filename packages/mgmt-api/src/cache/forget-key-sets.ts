/**
 * DELETE /svc/cache/jwks[/{apiID}]: this node fetches the key sets of token issuers again at their next use.
 * Source: docs/reference/jwt.md#json-web-tokens.
 */
import { ok } from '../http/reply.ts'
import { type Operation, paramOf } from '../operation.ts'

const responses = { 200: 'cache invalidated' }

export const forgetAllKeySets: Operation = {
  id: 'forgetAllKeySets',
  method: 'DELETE',
  path: '/svc/cache/jwks',
  tag: 'cache',
  summary: 'Forget the key sets of token issuers of all APIs',
  responses,
  async handle(call) {
    call.management.forgetKeySets?.()
    return ok('cache invalidated')
  },
}

export const forgetKeySets: Operation = {
  id: 'forgetKeySets',
  method: 'DELETE',
  path: '/svc/cache/jwks/{apiID}',
  tag: 'cache',
  summary: 'Forget the key sets of token issuers of an API; unknown ids are fine',
  responses,
  async handle(call) {
    call.management.forgetKeySets?.(paramOf(call, 'apiID'))
    return ok('cache invalidated')
  },
}
