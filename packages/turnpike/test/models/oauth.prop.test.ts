/**
 * Model of OAuth tokens: a token is valid from its issue until it expires or something begins to end it, and invalid once
 * a revocation, a refresh or the deletion of its client is acknowledged. A refresh token works once; using it again ends
 * the family of its tokens (RFC 9700, section 4.14.2).
 */
import type { Store } from '@turnpike/core/ports'
import fc from 'fast-check'
import { defineApi } from 'turnpike'
import { describe, expect, it } from 'vitest'
import { checkModel, makeScheduledGateway, type ScheduledGateway, secret, withOperations } from './scheduled-gateway.ts'

type Kind = 'issue' | 'use' | 'refresh' | 'revoke' | 'delete-client' | 'wait'

interface Command {
  readonly kind: Kind
  /** Which of the tokens that exist when the command starts. */
  readonly pick: number
}

const kinds: readonly Kind[] = [
  'issue',
  'issue',
  'use',
  'use',
  'use',
  'use',
  'refresh',
  'refresh',
  'revoke',
  'wait',
  'delete-client',
]
const commands = fc.record<Command>({ kind: fc.constantFrom(...kinds), pick: fc.nat({ max: 5 }) })

const lifetimeMs = 60_000
const basic = `Basic ${Buffer.from('app:client-secret').toString('base64')}`
const session = {
  org_id: 'acme',
  access_rights: { shop: { api_id: 'shop', versions: ['Default'] } },
  rate: 1000,
  per: 1,
}

/** All tokens that come from one code. */
interface Family {
  /** Tick at which the first second use of a refresh token began. */
  endsFrom: number
}

interface Token {
  readonly family: Family
  /** Tick at which its grant was acknowledged. */
  readonly issuedAt: number
  readonly access: string
  readonly refresh: string
  /** The clock can move during a grant, so the token expires between these times. */
  readonly validUntil: number
  readonly expiredFrom: number
  /** Tick at which the first command began that can end the token. */
  endsFrom: number
  /** Tick at which the first such command was acknowledged. */
  endedAt: number
  /** Refreshes that began, and those that gave tokens. */
  attempts: number
  refreshes: number
}

class OAuthModel {
  readonly tokens: Token[] = []
  /** Requests that a token let pass. */
  passed = 0
  private readonly real: ScheduledGateway
  private clientEndsFrom = Number.POSITIVE_INFINITY
  private clientEndedAt = Number.POSITIVE_INFINITY

  constructor(real: ScheduledGateway) {
    this.real = real
  }

  async run({ kind, pick }: Command): Promise<void> {
    const token = this.tokens[pick % Math.max(1, this.tokens.length)]
    if (kind === 'issue') await this.issue()
    else if (kind === 'wait') await this.real.clock.run(40_000)
    else if (kind === 'delete-client') await this.deleteClient()
    else if (token !== undefined) await this[kind](token)
  }

  async issue(): Promise<void> {
    const rules = new URLSearchParams({ response_type: 'code', client_id: 'app', key_rules: JSON.stringify(session) })
    const approved = await this.real.manage('POST', '/shop/svc/oauth/authorize-client/', rules.toString())
    const { code } = approved.json<{ code?: string }>()
    if (code !== undefined)
      await this.grant({ grant_type: 'authorization_code', code }, { endsFrom: Number.POSITIVE_INFINITY })
  }

  /** Adds the tokens of a grant. Returns whether there are any. */
  private async grant(fields: Record<string, string>, family: Family): Promise<boolean> {
    const { gateway, clock } = this.real
    const validUntil = clock.now() + lifetimeMs
    const response = await gateway.inject({
      ...{ method: 'POST', url: '/shop/oauth/token', body: new URLSearchParams(fields).toString() },
      headers: { authorization: basic, 'content-type': 'application/x-www-form-urlencoded' },
    })
    if (response.status !== 200) return false
    const { access_token, refresh_token = '' } = response.json<{ access_token: string; refresh_token?: string }>()
    const ends = { endsFrom: this.clientEndsFrom, endedAt: this.clientEndedAt }
    const times = { validUntil, expiredFrom: clock.now() + lifetimeMs }
    const counts = { attempts: 0, refreshes: 0 }
    const made = { access: access_token, refresh: refresh_token, family, issuedAt: this.real.tick() }
    this.tokens.push({ ...made, ...times, ...ends, ...counts })
    return true
  }

  private async use(token: Token): Promise<void> {
    const { gateway, clock, tick } = this.real
    const startedAt = tick()
    const mustFail = token.endedAt < startedAt || clock.now() > token.expiredFrom + 1000
    const headers = { authorization: `Bearer ${token.access}` }
    const { status } = await gateway.inject({ url: '/shop/x', headers })
    const endedAt = tick()
    if (status === 200) this.passed += 1
    // 504: the clock moved while the upstream had the request.
    const isAdmitted = status === 200 || status === 504
    if (!isAdmitted) expect([401, 403]).toContain(status)
    if (mustFail) expect(isAdmitted).toBe(false)
    // Expiry is stored in whole seconds.
    const endsFrom = Math.min(token.endsFrom, token.family.endsFrom)
    if (endsFrom > endedAt && clock.now() < token.validUntil - 1000) expect(isAdmitted).toBe(true)
  }

  private async refresh(token: Token): Promise<void> {
    if (token.refresh === '') return
    const startedAt = this.real.tick()
    const isUsed = token.refreshes > 0
    token.endsFrom = Math.min(token.endsFrom, startedAt)
    if (token.attempts > 0) token.family.endsFrom = Math.min(token.family.endsFrom, startedAt)
    token.attempts += 1
    if (!(await this.grant({ grant_type: 'refresh_token', refresh_token: token.refresh }, token.family))) {
      if (isUsed) this.endFamily(token.family, startedAt)
      return
    }
    token.refreshes += 1
    expect(token.refreshes).toBe(1)
    this.ended(token)
  }

  /** Tokens that are granted meanwhile may stay. */
  private endFamily(family: Family, before: number): void {
    for (const token of this.tokens) if (token.family === family && token.issuedAt < before) this.ended(token)
  }

  private async revoke(token: Token): Promise<void> {
    token.endsFrom = Math.min(token.endsFrom, this.real.tick())
    const form = new URLSearchParams({ token: token.access, client_id: 'app' }).toString()
    const { status } = await this.real.manage('POST', '/svc/oauth/revoke', form)
    if (status === 200) this.ended(token)
  }

  /**
   * The record of a token, by which it is revoked, expires up to a second before its session, whose expiry has whole
   * seconds. The model does not require that a revocation in this second has an effect.
   */
  private ended(token: Token): void {
    if (this.real.clock.now() < token.validUntil) token.endedAt = Math.min(token.endedAt, this.real.tick())
  }

  private async deleteClient(): Promise<void> {
    const from = this.real.tick()
    this.clientEndsFrom = Math.min(this.clientEndsFrom, from)
    for (const token of this.tokens) token.endsFrom = Math.min(token.endsFrom, from)
    const { status } = await this.real.manage('DELETE', '/svc/oauth/clients/shop/app')
    if (status !== 200) return
    this.clientEndedAt = Math.min(this.clientEndedAt, this.real.tick())
    for (const token of this.tokens) token.endedAt = Math.min(token.endedAt, this.clientEndedAt)
  }
}

async function checkTokens(breakStore?: (store: Store) => Store): Promise<number> {
  let passed = 0
  await checkModel(commands, async (scheduler, list) => {
    const api = defineApi({ id: 'shop', target: 'http://upstream.test/', orgId: 'acme' })
    const real = await makeScheduledGateway(scheduler, {
      config: { secret, oauth_token_expire: lifetimeMs / 1000 },
      definitions: [
        {
          ...api,
          use_standard_auth: false,
          use_oauth2: true,
          oauth_meta: {
            allowed_access_types: ['authorization_code', 'refresh_token'],
            allowed_authorize_types: ['code'],
            auth_login_redirect: 'http://login.test/',
          },
        },
      ],
      breakStore,
    })
    const client = { api_id: 'shop', client_id: 'app', secret: 'client-secret', redirect_uri: 'http://app.test/' }
    expect((await real.manage('POST', '/svc/oauth/clients/create', client)).status).toBe(200)
    const model = new OAuthModel(real)
    await model.issue()
    await model.issue()
    expect(model.tokens).toHaveLength(2)
    await real.runAll(list.map((command) => () => model.run(command)))
    // What was acknowledged also holds when nothing runs any more.
    for (let pick = 0; pick < model.tokens.length; pick++) await model.run({ kind: 'use', pick })
    passed += model.passed
    await real.gateway.close(0)
  })
  return passed
}

describe('tokens of OAuth clients', () => {
  it('follow the model', async () => {
    expect(await checkTokens()).toBeGreaterThan(100)
  })

  it.each<[string, (store: Store) => Store]>([
    ['a revoked token stays stored', (store) => withOperations(store, 'sessions', () => ({ remove: () => true }))],
    [
      'a refresh token that is used counts as removed again',
      (store) =>
        withOperations(store, 'records', (inner) => ({
          async remove(name) {
            await inner.remove(name)
            return true
          },
        })),
    ],
    [
      'tokens do not expire',
      (store) =>
        withOperations(store, 'sessions', (inner) => ({
          put: (name, kept) => inner.put(name, { ...kept, expires: 0 }),
        })),
    ],
  ])('detect the seeded bug: %s', async (_, breakStore) => {
    await expect(checkTokens(breakStore)).rejects.toThrow('Property failed')
  })
})
