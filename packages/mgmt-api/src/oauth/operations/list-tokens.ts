/** GET /svc/oauth/clients/{apiID}/{keyName}/tokens. Source: docs/reference/oauth-clients.md#token-list. */
import type { JsonSchema } from '@turnpike/core'
import { serialiseOAuthTokenPage, serialiseOAuthTokens } from '../../http/generated/serialisers.ts'
import { hashWarning } from '../../http/hash-warning.ts'
import { failure, jsonText } from '../../http/reply.ts'
import { type Operation, paramOf, queryOf } from '../../operation.ts'
import { clientNotFound, findApi, hasClients, orStoreFailure } from './client-wire.ts'

const pageSize = 100

export const tokensSchema: JsonSchema = {
  type: 'array',
  items: { type: 'object', properties: { code: { type: 'string' }, expires: { type: 'integer' } } },
}

export const listTokens: Operation = {
  id: 'listOAuthTokens',
  method: 'GET',
  path: '/svc/oauth/clients/{apiID}/{keyName}/tokens',
  tag: 'oauth',
  summary: 'Valid access tokens of a client by expiry; their hashes if keys are hashed',
  query: [
    {
      name: 'page',
      description:
        'Returns one page of 100, with `Pagination` and `Tokens`; a value that is not a positive number counts as 1',
    },
  ],
  responses: {
    200: {
      description: 'The tokens, or with `page` an object of `Pagination` and `Tokens`',
      schema: { ...tokensSchema, type: ['array', 'object'] },
    },
    404: 'OAuth Client ID not found: the API is unknown or has no OAuth',
    500: 'Get client tokens failed',
  },
  async handle(call) {
    const api = findApi(call, paramOf(call, 'apiID'))
    if (api === undefined || !hasClients(api)) return clientNotFound
    const list = async () => {
      const listed = await call.management.oauth.of(api).tokens.list(paramOf(call, 'keyName'))
      const tokens = listed.map(({ member, rank }) => ({ code: member, expires: rank }))
      const codes = tokens.map(({ code }) => code)
      const warning = hashWarning(call.management.settings.keys.hashKeys, codes)
      const asked = call.query.get('page')
      if (asked === null || asked === '') return jsonText(serialiseOAuthTokens(tokens), 200, warning)
      const page = pageOf(queryOf(call, 'page'))
      const start = (page - 1) * pageSize
      const body = {
        Pagination: { page_num: page, page_total: Math.ceil(tokens.length / pageSize), page_size: pageSize },
        Tokens: tokens.slice(start, start + pageSize),
      }
      return jsonText(serialiseOAuthTokenPage(body), 200, warning)
    }
    return orStoreFailure(call, list, failure(500, 'Get client tokens failed'))
  },
}

function pageOf(text: string): number {
  const page = /^\+?\d{1,15}$/.test(text) ? Number(text) : 1
  return page > 0 ? page : 1
}
