import type { CachedKey } from '../../session/cached-key.ts'
import type { StageSession } from './custom-stage.ts'

/** What a custom stage can read of a key. Copies, because requests share the session. */
export function sessionOf(key: CachedKey): StageSession {
  const { alias, orgId, applyPolicies, applyPolicyId, tags, metaData, oauthClientId } = key.session
  const single = applyPolicyId === '' ? [] : [applyPolicyId]
  return {
    keyHash: key.logName,
    alias,
    orgId,
    policies: [...(applyPolicies ?? single)],
    tags: [...(tags ?? [])],
    metaData: JSON.parse(JSON.stringify(metaData ?? {})) as StageSession['metaData'],
    oauthClientId,
  }
}
