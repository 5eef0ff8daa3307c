/** Authorization codes and refresh tokens of the engine as subjects of property 18. */
import type { Millis, RecordStore, Store } from '@turnpike/core'
import { type ApiOAuth, defaultOAuthSettings, makeForm, makeOAuth, type OAuth } from '@turnpike/mgmt-api'
import type { SingleUseSubject, SingleUseUnderTest } from '../property-18-single-use.ts'
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
export function engineCodes(name: string, wrap?: WrapRecords, store: OAuthStore = {}): SingleUseSubject {
  return {
    name,
    lifetimeMs: 250_000 + (store.forgetsLateMs ?? 0),
    hasChecks: true,
    make: () =>
      start(wrap, store.open, (oauth) => ({
        issue: () => approve(oauth),
        redeem: async (code, isInvalid) =>
          (await exchangeCode(oauth, code, isInvalid ? `${redirectUri}/other` : redirectUri)) !== undefined,
      })),
  }
}

/** Refresh tokens. An invalid attempt comes from another client. The lifetime is 300 s, because long simulated times are slow. */
export function engineRefreshTokens(name: string, wrap?: WrapRecords, store: OAuthStore = {}): SingleUseSubject {
  return {
    name,
    lifetimeMs: 300_000 + (store.forgetsLateMs ?? 0),
    hasChecks: true,
    make: () =>
      start(wrap, store.open, (oauth) => ({
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
  wrap: WrapRecords | undefined,
  open: OpenStore | undefined,
  make: (oauth: ApiOAuth) => Omit<SingleUseUnderTest, 'wait'>,
): Promise<SingleUseUnderTest> {
  const store = (real: Store): Store =>
    wrap === undefined ? real : { ...real, records: { ...real.records, ...wrap(real.records) } }
  let server: OAuth | undefined
  const { engine, clock } = await makeTestEngine({
    definitions: [oauthApi],
    open,
    store,
    attach(parts) {
      server = makeOAuth({
        ...parts,
        oauth: { ...defaultOAuthSettings, refreshSeconds: 300 },
        engine: () => engine,
      })
      return { clientExists: server.clientExists }
    },
  })
  const [api] = engine.definitions()
  if (api === undefined || server === undefined) throw new Error('the API of the property was not loaded')
  const oauth = server.of(api)
  for (const id of ['one', 'other']) {
    await oauth.clients.put({
      id,
      secret: `${id}-secret`,
      redirectUri,
      metaData: null,
      policyId: '',
      description: '',
      exactRedirect: true,
    })
  }
  return { ...make(oauth), wait: (ms) => (open === undefined ? clock.advance(ms) : clock.run(ms)) }
}

async function approve(oauth: ApiOAuth): Promise<string> {
  const form = makeForm([
    ['response_type', 'code'],
    ['client_id', 'one'],
    ['redirect_uri', redirectUri],
    ['key_rules', JSON.stringify(rules)],
  ])
  const approval = await oauth.authorization.approve(form)
  if (approval.kind !== 'code') throw new Error('the approval gave no code')
  return approval.code
}

function exchangeCode(oauth: ApiOAuth, code: string, uri: string): Promise<string | undefined> {
  return exchange(oauth, 'one', { grant_type: 'authorization_code', code, redirect_uri: uri })
}

/** Requests tokens and returns the refresh token, or `undefined` if the request was rejected. */
async function exchange(
  oauth: ApiOAuth,
  client: string,
  fields: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const authorization = `Basic ${btoa(`${client}:${client}-secret`)}`
  const outcome = await oauth.token({ method: 'POST', authorization, form: makeForm(Object.entries(fields)) })
  return outcome.kind === 'issued' ? outcome.refreshToken : undefined
}

/** Not a mutant: the tests of the property use it. */
export const slowRecords: WrapRecords = (real) => slowed(real, { get: 3, take: 2, remove: 2 })
