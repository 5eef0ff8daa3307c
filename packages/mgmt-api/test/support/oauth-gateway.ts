/** A gateway with OAuth APIs for tests: calls as a client makes them, responses as it reads them. */

import type { EngineOptions } from '@turnpike/core/engine'
import { type GatewayResponse, headerOf, streamOf } from '@turnpike/core/http'
import { encodeBase64, utf8Bytes } from '@turnpike/core/lib'
import { defaultSettings, type GatewaySettings } from '@turnpike/core/ports'
import { definitionOf, makeTestEngine, requestOf } from '../../../core/test/support/test-engine.ts'
import { type ApiOAuth, makeOAuth, type OAuth } from '../../src/oauth/oauth.ts'
import { makeOAuthEndpoints } from '../../src/oauth/oauth-endpoints.ts'
import type { OAuthClient } from '../../src/oauth/oauth-records.ts'
import { defaultOAuthSettings, type OAuthSettings } from '../../src/oauth/oauth-settings.ts'

export interface OAuthGatewayOptions {
  readonly oauth?: Partial<OAuthSettings>
  readonly keys?: Partial<GatewaySettings['keys']>
  readonly api?: object
  /** Further definitions. */
  readonly others?: readonly object[]
  readonly engine?: Partial<EngineOptions>
  /** Default: the key is `manager`. */
  readonly managementKey?: string
  /** Address of the client. Default: none. */
  readonly remoteAddress?: string
}

export const redirectUri = 'http://client.test/cb'

const oauthFields = {
  use_keyless: false,
  use_oauth2: true,
  oauth_meta: {
    allowed_access_types: ['client_credentials', 'password', 'authorization_code', 'refresh_token'],
    allowed_authorize_types: ['code', 'token'],
    auth_login_redirect: 'http://login.test/page',
  },
}

const accessRights = { a: { api_id: 'a' } }

const policies = {
  pol: { id: 'pol', org_id: 'org1', active: true, rate: 100, per: 60, quota_max: -1, access_rights: accessRights },
  // The tokens of its clients have the form of a key of org2, and are unknown when they are used.
  abroad: { id: 'abroad', org_id: 'org2', access_rights: accessRights },
  doors: { id: 'doors', org_id: 'org1', rate: 5, per: 60, partitions: { acl: true }, access_rights: accessRights },
  other: { id: 'other', org_id: 'org1', active: true, rate: 7, per: 60, access_rights: accessRights },
}

/** Clients `one` and `two` have the secrets `one-secret` and `two-secret`, and the policy `pol`. */
export async function makeOAuthGateway({
  oauth,
  keys,
  api,
  others = [],
  engine,
  ...options
}: OAuthGatewayOptions = {}) {
  const { managementKey = 'manager', remoteAddress = '' } = options
  let next = 0
  let server: OAuth | undefined
  const test = await makeTestEngine({
    definitions: [definitionOf('a', { ...oauthFields, ...api }), ...others],
    policies,
    settings: {
      keys: { ...defaultSettings.keys, ...keys },
    },
    engine: {
      ids: { uuid: () => (next++).toString(16).padStart(32, '4') },
      ...engine,
    },
    attach(parts) {
      server = makeOAuth({ ...parts, oauth: { ...defaultOAuthSettings, ...oauth }, engine: () => test.engine })
      return { endpoints: makeOAuthEndpoints(server, managementKey), clientExists: server.clientExists }
    },
  })
  const definition = () => test.engine.definitions()[0] as NonNullable<ReturnType<typeof test.engine.definitions>[0]>
  if (server === undefined) throw new Error('the engine was made without an OAuth server')
  const attached = server
  const own = () => attached.of(definition())

  const call: CallGateway = async (method, path, headers = {}, body = '') => {
    const bytes = utf8Bytes(body)
    const empty = { ...requestOf(method, path, headers), remoteAddress }
    const request = { ...empty, body: streamOf(bytes), bodyLength: bytes.length }
    return said(await test.engine.handle(body === '' ? empty : request))
  }
  const made = { ...test, oauth: attached, own, ...clientCalls(call, own) }
  await made.putClient('one')
  await made.putClient('two')
  return made
}

type CallGateway = (
  method: string,
  path: string,
  headers?: Record<string, string>,
  body?: string,
) => Promise<ReturnType<typeof said>>

/** What clients and the owner of the API do. */
function clientCalls(call: CallGateway, own: () => ApiOAuth) {
  const form = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    call('POST', path, { 'content-type': 'application/x-www-form-urlencoded', ...headers }, formText(fields))
  return {
    call,
    form,
    putClient: (id: string, more: Partial<OAuthClient> = {}) =>
      own().clients.put({
        id,
        secret: `${id}-secret`,
        redirectUri,
        metaData: { user_id: `u-${id}` },
        policyId: 'pol',
        description: '',
        exactRedirect: true,
        ...more,
      }),
    token: (fields: Record<string, string>, client = 'one') =>
      form('/a/oauth/token', fields, { authorization: basic(`${client}:${client}-secret`) }),
    approve: (fields: Record<string, string> = {}) =>
      form(
        '/a/svc/oauth/authorize-client/',
        { response_type: 'code', client_id: 'one', redirect_uri: redirectUri, ...fields },
        { 'x-svc-authorization': 'manager' },
      ),
    use: (token: string) => call('GET', '/a/x', { authorization: `Bearer ${token}` }),
  }
}

export const basic = (text: string) => `Basic ${encodeBase64(utf8Bytes(text))}`

export function formText(fields: Record<string, string>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')
}

function said(response: GatewayResponse) {
  const text = typeof response.body === 'string' ? response.body : ''
  const isJson = text.startsWith('{')
  const json = (isJson ? JSON.parse(text) : {}) as Record<string, string>
  return { status: response.status, header: (name: string) => headerOf(response.headers, name), text, json }
}
