/**
 * Codes and refresh tokens that were used. If one is used again, somebody else has it, so the tokens that were issued for
 * it end, and those of all later refreshes (RFC 9700, section 4.14.2; RFC 6749, section 4.1.2).
 *
 * A used grant and its first repetition are two records. Whoever issues tokens writes the first and then reads the second;
 * whoever repeats the grant writes the second and then reads the first. So at least one of two concurrent requests sees the
 * other one and revokes the tokens.
 */
import { type Of, object, text } from '@turnpike/core/lib'
import type { RecordStore } from '@turnpike/core/ports'
import { oauthNames } from './oauth-names.ts'
import { readRecord, writeRecord } from './oauth-records.ts'
import type { OAuthSettings } from './oauth-settings.ts'
import type { IssuedTokens, TokenStore } from './token-store.ts'

const usedShape = object({ clientId: text, accessToken: text, refreshToken: text })

type UsedGrant = Of<typeof usedShape>

export interface UsedGrants {
  /**
   * Consumes a grant by `remove`, which returns true to one of several concurrent calls. The others return false, and the
   * tokens of the grant end.
   */
  consume(grant: string, clientId: string, remove: () => Promise<boolean>): Promise<boolean>
  /** Stores which tokens were issued for a grant, and revokes them if the grant has been used again already. */
  settle(grant: string, clientId: string, issued: IssuedTokens): Promise<void>
  /** Ends the tokens of a grant that no longer exists, if this client used it. */
  endIfUsed(grant: string, clientId: string): Promise<void>
}

export function makeUsedGrants(
  apiId: string,
  records: RecordStore,
  tokens: TokenStore,
  oauth: Pick<OAuthSettings, 'tokenSeconds' | 'refreshSeconds'>,
): UsedGrants {
  const names = oauthNames(apiId)
  const lifetimeMs = Math.max(oauth.refreshSeconds, oauth.tokenSeconds) * 1000
  const find = async (grant: string) => readRecord(usedShape, await records.get(names.used(grant)))
  const write = (used: UsedGrant) => writeRecord(usedShape, used)

  const revoke = async ({ accessToken, refreshToken }: UsedGrant): Promise<string | undefined> => {
    if (accessToken !== '') await tokens.revokeAccess(accessToken)
    const isUnused = refreshToken === '' || (await tokens.consumeRefreshToken(refreshToken))
    return isUnused ? undefined : refreshToken
  }
  const end = async (grant: string): Promise<void> => {
    let next: string | undefined = grant
    // Each refresh token leads to the next one, up to the one that is still valid.
    while (next !== undefined && (await records.add(names.repeated(next), '1', lifetimeMs))) {
      const used: UsedGrant | undefined = await find(next)
      next = used && (await revoke(used))
    }
  }

  return {
    async consume(grant, clientId, remove) {
      await records.add(names.used(grant), write({ clientId, accessToken: '', refreshToken: '' }), lifetimeMs)
      if (await remove()) return true
      await end(grant)
      return false
    },
    async settle(grant, clientId, { accessToken, refreshToken }) {
      const used = { clientId, accessToken, refreshToken }
      await records.put(names.used(grant), write(used), lifetimeMs)
      if ((await records.get(names.repeated(grant))) !== undefined) await revoke(used)
    },
    async endIfUsed(grant, clientId) {
      if ((await find(grant))?.clientId === clientId) await end(grant)
    },
  }
}
