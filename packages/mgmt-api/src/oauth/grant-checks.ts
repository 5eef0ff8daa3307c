/**
 * The checks of each grant type. `token-endpoint.ts` calls `consume` after all checks, which removes a code or a
 * refresh token: one of several concurrent requests succeeds, and a failed check leaves the grant. Then it issues the
 * tokens. Source: docs/reference/oauth-endpoints.md#token-endpoint, docs/differences.md.
 */
import type { RecordStore } from '@turnpike/core/ports'
import type { Form } from './form.ts'
import type { OAuthRejection, OAuthRejections } from './oauth-errors.ts'
import { oauthNames } from './oauth-names.ts'
import { codeShape, type OAuthClient, readRecord } from './oauth-records.ts'
import type { OAuthSettings } from './oauth-settings.ts'
import { isVerified } from './pkce.ts'
import { chooseRedirect, redirectMatchOf, registeredUris } from './redirect-uri.ts'
import type { IssuedTokens, TokenGrant, TokenStore } from './token-store.ts'
import { makeUsedGrants, type UsedGrants } from './used-grants.ts'
import type { Users } from './users.ts'

export const grantTypes = ['client_credentials', 'password', 'authorization_code', 'refresh_token'] as const
export type GrantType = (typeof grantTypes)[number]

/** A grant that passed its checks. */
export interface CheckedGrant {
  readonly kind: 'granted'
  readonly grant: TokenGrant
  /** Consumes the grant; false if a concurrent request did so first. */
  consume(): Promise<boolean>
  /** Runs after the tokens are stored. */
  settle(issued: IssuedTokens): Promise<void>
}

export interface GrantCheck {
  /** Fields that must not be empty. */
  readonly fields: readonly string[]
  /** `address`: the IP address by which wrong passwords are counted. */
  check(form: Form, client: OAuthClient, address: string): Promise<CheckedGrant | OAuthRejection>
}

export interface GrantServices {
  readonly records: RecordStore
  readonly tokens: TokenStore
  readonly users: Users
  readonly oauth: OAuthSettings
  readonly rejections: OAuthRejections
}

const nothingToConsume = () => Promise.resolve(true)
const nothingToSettle = () => Promise.resolve()

export function makeGrantChecks(apiId: string, services: GrantServices): Readonly<Record<GrantType, GrantCheck>> {
  const used = makeUsedGrants(apiId, services.records, services.tokens, services.oauth)
  return {
    client_credentials: clientCredentials(services),
    password: password(services),
    authorization_code: authorizationCode(apiId, services, used),
    refresh_token: refreshToken(services, used),
  }
}

function clientCredentials({ oauth }: GrantServices): GrantCheck {
  return {
    fields: [],
    async check(form, client) {
      const redirectUri = registeredUris(client.redirectUri, oauth.redirectSeparator)[0] ?? ''
      return {
        kind: 'granted',
        grant: { client, scope: form.get('scope'), redirectUri, userData: '', withRefresh: false },
        consume: nothingToConsume,
        settle: nothingToSettle,
      }
    },
  }
}

function password({ users, tokens, oauth, rejections }: GrantServices): GrantCheck {
  return {
    fields: ['username', 'password'],
    async check(form, client, address) {
      const user = await users.find(form.get('username'), form.get('password'), address)
      if (user === undefined) return rejections.wrongPassword
      const redirectUri = registeredUris(client.redirectUri, oauth.redirectSeparator)[0] ?? ''
      return {
        kind: 'granted',
        grant: { client, scope: form.get('scope'), redirectUri, userData: user.userData, withRefresh: true },
        consume: nothingToConsume,
        async settle({ accessToken }) {
          const earlier = await user.remember(client.id, accessToken)
          if (earlier !== undefined) await tokens.revokeAccess(earlier)
        },
      }
    },
  }
}

function authorizationCode(apiId: string, { records, oauth, rejections }: GrantServices, used: UsedGrants): GrantCheck {
  return {
    fields: ['code'],
    async check(form, client) {
      const code = form.get('code')
      const name = oauthNames(apiId).code(code)
      const record = readRecord(codeShape, await records.get(name))
      if (record === undefined) await used.endIfUsed(code, client.id)
      if (record === undefined || record.client.id !== client.id) return rejections.badGrant
      const registered = registeredUris(client.redirectUri, oauth.redirectSeparator)
      const redirectUri = chooseRedirect(form.get('redirect_uri'), registered, redirectMatchOf(client, oauth))
      if (redirectUri === undefined || redirectUri !== record.redirectUri) return rejections.otherRedirect
      const challenge = record.codeChallenge
      const verifier = form.get('code_verifier')
      const method = record.codeChallengeMethod === 'S256' ? 'S256' : 'plain'
      if (challenge !== '' && !isVerified(verifier, { challenge, method })) return rejections.badGrant
      // An attacker may have removed the challenge in transit (RFC 9700, section 2.1.1).
      if (challenge === '' && verifier !== '') return rejections.badGrant
      return {
        kind: 'granted',
        grant: { client, scope: record.scope, redirectUri, userData: record.userData, withRefresh: true },
        consume: () => used.consume(code, client.id, async () => records.remove(name)),
        settle: (issued) => used.settle(code, client.id, issued),
      }
    },
  }
}

function refreshToken({ tokens, rejections }: GrantServices, used: UsedGrants): GrantCheck {
  return {
    fields: ['refresh_token'],
    async check(form, client) {
      const token = form.get('refresh_token')
      const record = await tokens.findRefresh(token)
      if (record === undefined) {
        await used.endIfUsed(token, client.id)
        return rejections.badGrant
      }
      if (record.client.id !== client.id) return rejections.othersToken
      const scope = form.get('scope')
      if (isWider(scope, record.scope)) return rejections.widerScope
      const { redirectUri, userData } = record
      return {
        kind: 'granted',
        grant: { client, scope: scope === '' ? record.scope : scope, redirectUri, userData, withRefresh: true },
        consume: () => used.consume(token, client.id, () => tokens.consumeRefreshToken(token)),
        async settle(issued) {
          await tokens.revokeAccess(record.accessToken)
          await used.settle(token, client.id, issued)
        },
      }
    },
  }
}

/** Whether the requested scope exceeds the granted one (RFC 6749, section 6). */
function isWider(asked: string, granted: string): boolean {
  const known = new Set(granted.split(' '))
  return asked.split(' ').some((word) => word !== '' && !known.has(word))
}
