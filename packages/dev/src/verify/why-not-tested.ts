/** Names what no trace tests, with the reason. */
import type { ApiDefinition } from '@turnpike/core/definition'
import type { Policy, PolicyBook } from '@turnpike/core/session'
import { type KeyPlan, partsOf } from './key-plan.ts'
import { limitsOfKey } from './limits-of-key.ts'
import { type GatewayFacts, organisationOf } from './limits-of-request.ts'
import { whyNoRequest } from './possible-requests.ts'

/** A subject that no trace tests, with the reason. */
export interface Untried {
  readonly what: string
  readonly why: string
}

/** Returns the reason why no key can be tested on an API; `undefined` if one can. */
export function whyNoKey(api: ApiDefinition, plan: KeyPlan, facts: GatewayFacts): string | undefined {
  if (api.authModes.length === 0) return 'it is keyless, so that no limit of a key counts there'
  return whyNoRequest(api) ?? besides(plan, api.orgId, facts)
}

/** Returns the reason why callers without a key cannot be tested; `undefined` if they can. */
export function whyNoCaller(api: ApiDefinition, facts: GatewayFacts): string | undefined {
  return whyNoRequest(api) ?? besideRequest(api.orgId, facts)
}

/** Returns the reason why decisions depend on more than requests; `undefined` if they do not. */
function besides({ session, policies }: KeyPlan, orgId: string, facts: GatewayFacts): string | undefined {
  const { lifetimes } = facts.settings
  const ends =
    session.expires > 0 || session.sessionLifetime > 0 || policies.some(({ keyExpiresIn }) => keyExpiresIn > 0)
  if (ends || lifetimes.forceGlobal) return 'its keys end after a time'
  return besideRequest(orgId, facts)
}

function besideRequest(orgId: string, facts: GatewayFacts): string | undefined {
  const isBeside = facts.settings.limits.orgOffThread && organisationOf(orgId, facts) !== undefined
  return isBeside ? 'its organisation is checked beside the request' : undefined
}

/** Returns the policies that no key of `plans` has. */
export function policiesWithoutKeys(book: PolicyBook, plans: readonly KeyPlan[]): Untried[] {
  const used = new Set(plans.flatMap(({ policies }) => policies))
  return book.policies
    .filter((policy) => !used.has(policy))
    .map((policy) => ({ what: `policy "${policy.id}"`, why: whyUnused(policy) }))
}

function whyUnused(policy: Policy): string {
  if (policy.isInactive) return 'it is inactive (is_inactive), so that the gateway rejects its keys'
  if (Object.keys(policy.accessRights ?? {}).length === 0) return 'it grants access to no API'
  const { acl, apart } = partsOf(policy)
  return acl || apart ? 'no key has it' : 'its partitions grant no access, and no key of the seed file has it'
}

/** Returns the APIs that need a key which no policy and no key of the seed file is for. */
export function apisWithoutKeys(apis: readonly ApiDefinition[], plans: readonly KeyPlan[]): Untried[] {
  const granted = new Set(plans.flatMap((plan) => [...limitsOfKey(plan).keys()]))
  return apis
    .filter(({ id, authModes }) => authModes.length > 0 && !granted.has(id))
    .map((api) => ({ what: `"${api.id}"`, why: whyNoRequest(api) ?? 'no active policy and no key opens it' }))
}
