/** The names of this folder that other packages import, as `@turnpike/core/session`. */
export { makePathPatterns } from './access/path-patterns.ts'
export { compileApiAccess, counterOf } from './api-access.ts'
export { expiresAtOf, isExpired } from './expiry.ts'
export { storageLifetimeMs } from './lifetime.ts'
export { type CounterNaming, hashTag, quotaCounterName, rateCounterName } from './names/counter-names.ts'
export { makeKeyName, storedNameOf } from './names/key-name.ts'
export { makePasswordCheck } from './password-check.ts'
export { applyPolicies } from './policies/apply-policies.ts'
export { readPolicy } from './policies/parse-policies.ts'
export { policyIdsOf } from './policies/policies-of-session.ts'
export { isSafePolicyId, type Policy, policyShape, toWirePolicy } from './policies/policy.ts'
export { makePolicyBook, type PolicyBook, policyIdOf } from './policies/policy-book.ts'
export { findInvalidRights, invalidPatterns } from './registry/invalid-rights.ts'
export type { KeyLock } from './registry/key-lock.ts'
export { KeyRegistry } from './registry/key-registry.ts'
export type {
  KeyAddress,
  KeyEvent,
  KeyRegistryDependencies,
  KeyRejection,
  WrittenKey,
} from './registry/key-registry-types.ts'
export { makeOrgSessions, type OrgSessions } from './registry/org-sessions.ts'
export { mayRequireProof } from './required-proof.ts'
export { type GuessVerdict, secretBackOffOf } from './secret-back-off.ts'
export type { SessionCache } from './session-cache.ts'
export { parseSession, toWireSession } from './session-json.ts'
export { SharedRights, splitSession } from './shared-rights.ts'
