/** Tokens with the management key: list, revoke, purge. Source: docs/reference/oauth-clients.md#token-list, docs/reference/oauth-clients.md#revoking-tokens, docs/differences.md#oauth-and-json-web-tokens. */
import { formType, isFormType, isSecret, type JsonSchema } from '@turnpike/core/lib'
import { readText, tooLarge } from '../calls/read-body.ts'
import { hashWarning } from '../http/hash-warning.ts'
import { done, failure, json, ok, type Reply } from '../http/reply.ts'
import { type Form, makeForm, parseForm } from '../oauth/form.ts'
import { type Call, doneResponse, findApi, type Operation, paramOf, queryOf } from '../operation.ts'
import { clientNotFound, hasClients, oauthApisOf, orStoreFailure } from './client-wire.ts'

const pageSize = 100

const tokensSchema: JsonSchema = {
  type: 'array',
  items: { type: 'object', properties: { code: { type: 'string' }, expires: { type: 'integer' } } },
}

export const listTokens: Operation = {
  id: 'listOAuthTokens',
  method: 'GET',
  path: '/svc/oauth/clients/{apiID}/{keyName}/tokens',
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
      if (asked === null || asked === '') return json(tokens, 200, warning)
      const page = pageOf(queryOf(call, 'page'))
      const start = (page - 1) * pageSize
      const body = {
        Pagination: { page_num: page, page_total: Math.ceil(tokens.length / pageSize), page_size: pageSize },
        Tokens: tokens.slice(start, start + pageSize),
      }
      return json(body, 200, warning)
    }
    return orStoreFailure(call, list, failure(500, 'Get client tokens failed'))
  },
}

function pageOf(text: string): number {
  const page = /^\+?\d{1,15}$/.test(text) ? Number(text) : 1
  return page > 0 ? page : 1
}

const formSchema = (names: readonly string[]): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
})

export const revokeToken: Operation = {
  id: 'revokeOAuthToken',
  method: 'POST',
  path: '/svc/oauth/revoke',
  summary: 'Revoke an access or refresh token of a client; tokens of other clients stay',
  body: {
    schema: formSchema(['token', 'client_id', 'org_id', 'token_type_hint']),
    description:
      '`org_id` is optional; `token_type_hint` is `access_token` or `refresh_token`, both are tried without it',
    type: formType,
  },
  responses: {
    200: 'token revoked successfully',
    400: "token is required; client_id is required; oauth client doesn't exist",
  },
  async handle(call) {
    const form = await readForm(call)
    if ('status' in form) return form
    const token = form.get('token')
    const clientId = form.get('client_id')
    if (token === '') return failure(400, 'token is required')
    if (clientId === '') return failure(400, 'client_id is required')
    const known = await apisOfClient(call, clientId, form.get('org_id'))
    if (known.length === 0) return failure(400, "oauth client doesn't exist")
    const hint = form.get('token_type_hint')
    for (const { tokens } of known) {
      if (hint !== 'refresh_token' && (await tokens.clientOf(token)) === clientId) {
        await tokens.revokeAccess(token)
      }
      if (hint !== 'access_token' && (await tokens.findRefresh(token))?.client.id === clientId) {
        await tokens.consumeRefreshToken(token)
      }
    }
    return ok('token revoked successfully')
  },
}

export const revokeAllTokens: Operation = {
  id: 'revokeAllOAuthTokens',
  method: 'POST',
  path: '/svc/oauth/revoke_all',
  summary: 'Revoke all access tokens of a client',
  body: {
    schema: formSchema(['client_id', 'client_secret', 'org_id']),
    description: 'With a wrong secret the response is the same, and no token is revoked',
    type: formType,
  },
  responses: {
    200: 'tokens revoked successfully',
    400: 'cannot parse form. Form malformed',
    401: 'client_id is required; client_secret is required',
    404: "oauth client doesn't exist",
  },
  async handle(call) {
    const form = await readForm(call)
    if ('status' in form) return form
    const clientId = form.get('client_id')
    const secret = form.get('client_secret')
    if (clientId === '') return failure(401, 'client_id is required')
    if (secret === '') return failure(401, 'client_secret is required')
    const known = await apisOfClient(call, clientId, form.get('org_id'))
    if (known.length === 0) return failure(404, "oauth client doesn't exist")
    for (const { client, tokens } of known) if (isSecret(secret, client.secret)) await tokens.revokeAll(clientId)
    return ok('tokens revoked successfully')
  },
}

export const deleteRefreshToken: Operation = {
  id: 'invalidateOAuthRefreshToken',
  method: 'DELETE',
  path: '/svc/oauth/refresh/{refreshToken}',
  summary: 'Revoke a refresh token; an unknown one is accepted',
  query: [{ name: 'api_id', description: 'The API it belongs to' }],
  responses: {
    200: doneResponse,
    400: 'Missing parameter api_id; OAuth is not enabled on this API',
    404: 'API for this refresh token not found',
  },
  async handle(call) {
    const apiId = queryOf(call, 'api_id')
    if (apiId === '') return failure(400, 'Missing parameter api_id')
    const api = findApi(call, apiId)
    if (api === undefined) return failure(404, 'API for this refresh token not found')
    if (!api.document.useOauth2) return failure(400, 'OAuth is not enabled on this API')
    const token = paramOf(call, 'refreshToken')
    await call.management.oauth.of(api).tokens.consumeRefreshToken(token)
    return done(token, 'deleted')
  },
}

/** The client and its tokens on every API of the organisation that has the client. */
async function apisOfClient(call: Call, clientId: string, orgId: string) {
  const found = oauthApisOf(call, orgId).map(async (api) => {
    const { clients, tokens } = call.management.oauth.of(api)
    const client = await clients.find(clientId)
    return client === undefined ? undefined : { client, tokens }
  })
  return (await Promise.all(found)).filter((one) => one !== undefined)
}

/** Parses the form; a body of another type has no fields. */
async function readForm(call: Call): Promise<Form | Reply> {
  const text = await readText(call.request, call.management.options.maxBodyBytes)
  if (text === undefined) return tooLarge(call)
  const isForm = isFormType(call.request.headers.get('content-type') ?? undefined)
  const form = isForm ? parseForm(text) : makeForm([])
  return form ?? failure(400, 'cannot parse form. Form malformed')
}

export const purgeTokens: Operation = {
  id: 'purgeExpiredOAuthTokens',
  method: 'DELETE',
  path: '/svc/oauth/tokens',
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
