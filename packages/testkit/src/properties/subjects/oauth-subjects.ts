/** Authorization codes and refresh tokens of the engine as subjects of property 18. */
import type { Millis } from '@turnpike/core/lib'
import type { RecordStore, Store } from '@turnpike/core/ports'
import type { SingleUseSubject, SingleUseUnderTest } from '../property-18-single-use.ts'
import type { ApiOAuthUnderTest, FormFields, MakeOAuthServer, OAuthServerUnderTest } from './management-under-test.ts'
import { slowed } from './slow-store.ts'
import { accessTo, makeTestEngine, type OpenStore, testDefinition } from './test-engine.ts'

const redirectUri = 'http://client.test/cb'
const rules = accessTo('oauth-api')

const oauthApi = testDefinition('oauth-api', {
  use_oauth2: true,
  oauth_meta: { allowed_access_types: ['authorization_code', 'refresh_token'], allowed_authorize_types: ['code'] },
})

/** Wraps the record store; the returned methods replace the real ones. */
export type WrapRecords = (real: RecordStore) => Partial<RecordStore>

/** The store of the engine. */
export interface OAuthStore {
  /** Default: the memory store. */
  readonly open?: OpenStore
  /** Milliseconds for which it may return a record after its lifetime. Default 0. */
  readonly forgetsLateMs?: Millis
}

/** Authorization codes with a lifetime of 250 s. An invalid attempt uses another redirect URI. */
export function engineCodes(
  name: string,
  makeServer: MakeOAuthServer,
  wrap?: WrapRecords,
  store: OAuthStore = {},
): SingleUseSubject {
  return {
    name,
    lifetimeMs: 250_000 + (store.forgetsLateMs ?? 0),
    hasChecks: true,
    make: () =>
      start(makeServer, wrap, store.open, (oauth) => ({
        issue: () => approve(oauth),
        redeem: async (code, isInvalid) =>
          (await exchangeCode(oauth, code, isInvalid ? `${redirectUri}/other` : redirectUri)) !== undefined,
      })),
  }
}

/** Refresh tokens. An invalid attempt comes from another client. The lifetime is 300 s, because long simulated times are slow. */
export function engineRefreshTokens(
  name: string,
  makeServer: MakeOAuthServer,
  wrap?: WrapRecords,
  store: OAuthStore = {},
): SingleUseSubject {
  return {
    name,
    lifetimeMs: 300_000 + (store.forgetsLateMs ?? 0),
    hasChecks: true,
    make: () =>
      start(makeServer, wrap, store.open, (oauth) => ({
        async issue() {
          const code = await approve(oauth)
          const refreshToken = await exchangeCode(oauth, code, redirectUri)
          if (refreshToken === undefined) throw new Error('the code gave no refresh token')
          return refreshToken
        },
        redeem: async (refreshToken, isInvalid) =>
          (await exchange(oauth, isInvalid ? 'other' : 'one', {
            grant_type: 'refresh_token',
            refresh_token: refreshToken,
          })) !== undefined,
      })),
  }
}

async function start(
  makeServer: MakeOAuthServer,
  wrap: WrapRecords | undefined,
  open: OpenStore | undefined,
  make: (oauth: ApiOAuthUnderTest) => Omit<SingleUseUnderTest, 'wait'>,
): Promise<SingleUseUnderTest> {
  const store = (real: Store): Store =>
    wrap === undefined ? real : { ...real, records: { ...real.records, ...wrap(real.records) } }
  let server: OAuthServerUnderTest | undefined
  const { engine, clock } = await makeTestEngine({
    definitions: [oauthApi],
    open,
    store,
    attach(parts) {
      server = makeServer(parts, () => engine, { refreshSeconds: 300 })
      return { clientExists: server.clientExists }
    },
  })
  const [api] = engine.definitions()
  if (api === undefined || server === undefined) throw new Error('the API of the property was not loaded')
  const oauth = server.of(api)
  for (const id of ['one', 'other']) await oauth.addClient({ id, secret: `${id}-secret`, redirectUri })
  return { ...make(oauth), wait: (ms) => (open === undefined ? clock.advance(ms) : clock.run(ms)) }
}

function approve(oauth: ApiOAuthUnderTest): Promise<string> {
  return oauth.approve({
    response_type: 'code',
    client_id: 'one',
    redirect_uri: redirectUri,
    key_rules: JSON.stringify(rules),
  })
}

function exchangeCode(oauth: ApiOAuthUnderTest, code: string, uri: string): Promise<string | undefined> {
  return exchange(oauth, 'one', { grant_type: 'authorization_code', code, redirect_uri: uri })
}

/** Requests tokens and returns the refresh token, or `undefined` if the request was rejected. */
function exchange(oauth: ApiOAuthUnderTest, client: string, fields: FormFields): Promise<string | undefined> {
  return oauth.requestTokens(`Basic ${btoa(`${client}:${client}-secret`)}`, fields)
}

/** Not a mutant: the tests of the property use it. */
export const slowRecords: WrapRecords = (real) => slowed(real, { get: 3, take: 2, remove: 2 })
