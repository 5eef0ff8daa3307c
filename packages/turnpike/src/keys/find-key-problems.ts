/**
 * Finds why a key cannot work, before it is stored. The management API stores such keys, as original gateways do, so
 * `gateway.keys`, seed files and `turnpike keys` call this check.
 */
import { nearestName } from '@turnpike/core/lib'
import type { GatewaySettings, Session } from '@turnpike/core/ports'
import { applyPolicies, type PolicyBook, policyIdsOf } from '@turnpike/core/session'

/** What the check needs to know of a gateway. */
export interface KeyFacts {
  readonly settings: Pick<GatewaySettings['keys'], 'minTokenLength' | 'hashFunction'>
  readonly policies: PolicyBook
  /** The served APIs by id. */
  readonly apis: ReadonlyMap<string, KeyApi>
  /** True: the session may name some APIs that are not served yet, but not only such APIs. */
  readonly allowsUnknownApis: boolean
}

export interface KeyApi {
  readonly orgId: string
  /** Names of the versions inside the definition; `undefined` if it has none. */
  readonly versions: readonly string[] | undefined
}

export interface KeyProblem {
  readonly kind: 'too-short' | 'unknown-policy' | 'policies' | 'unknown-api' | 'wrong-organisation' | 'unknown-version'
  readonly reason: string
  readonly fix: string
}

/** Returns the problems of a key named `id`; `undefined`: its name will be random. Empty if the key can work. */
export function findKeyProblems(id: string | undefined, session: Session, facts: KeyFacts): KeyProblem[] {
  const early = [...lengthProblems(id, session, facts), ...policyProblems(session, facts)]
  if (early.length > 0) return early
  const applied = applyPolicies(session, facts.policies)
  if (applied.problem !== undefined) {
    const fix = 'choose policies that can be combined, see docs/reference/policies.md'
    return [{ kind: 'policies', reason: `its policies cannot be applied: ${applied.problem}`, fix }]
  }
  return apiProblems(session, applied.session.accessRights ?? {}, facts)
}

/** Returns a problem and its fix as one line. */
export function formatKeyProblem({ reason, fix }: KeyProblem): string {
  return `${reason} (${fix})`
}

/** A basic user with a hash function is looked up by a long full name, so the length of the short name is free. */
function lengthProblems(id: string | undefined, session: Session, { settings }: KeyFacts): KeyProblem[] {
  const { minTokenLength, hashFunction } = settings
  const isBasicUser = session.basicAuthData.password !== '' && hashFunction !== ''
  if (id === undefined || id === '' || id.length > minTokenLength || isBasicUser) return []
  const reason = `the name "${id}" is too short: the gateway rejects credentials of up to ${minTokenLength} characters (min_token_length)`
  return [{ kind: 'too-short', reason, fix: `use ${minTokenLength + 1} characters or more` }]
}

function policyProblems(session: Session, { policies }: KeyFacts): KeyProblem[] {
  // Policies in the metadata replace the named ones.
  if (Array.isArray(session.metaData?.policies)) return []
  const known = policies.policies.map(({ id }) => id)
  return policyIdsOf(session)
    .filter((id) => policies.find(id, session.orgId) === undefined)
    .map((id) => {
      const elsewhere = policies.get(id)
      if (elsewhere === undefined) return unknown('policy', id, known)
      return wrongOrganisation(`policy "${id}"`, elsewhere.orgId, session.orgId)
    })
}

/** `rights`: what the key may access once its policies are applied. */
function apiProblems(
  session: Session,
  rights: NonNullable<Session['accessRights']>,
  { apis, allowsUnknownApis }: KeyFacts,
): KeyProblem[] {
  const ids = Object.keys(rights)
  const missing = ids.filter((id) => !apis.has(id))
  const named = Object.keys(session.accessRights ?? {})
  // APIs of policies can be served by other nodes or later, so they count only if none of them is served.
  const reported = missing.length === ids.length ? missing : missing.filter((id) => named.includes(id))
  if (reported.length > 0 && (!allowsUnknownApis || missing.length === ids.length)) {
    return reported.map((id) => unknown('API', id, apis.keys()))
  }
  return ids.flatMap((id) => [
    ...organisationProblems(id, session.orgId, apis.get(id)),
    ...versionProblems(id, rights[id]?.versions ?? [], apis.get(id)),
  ])
}

/** A key or an API without an organisation goes with every other: the full name of the key is then found. */
function organisationProblems(id: string, orgId: string, api: KeyApi | undefined): KeyProblem[] {
  if (api === undefined || orgId === '' || api.orgId === '' || api.orgId === orgId) return []
  return [wrongOrganisation(`API "${id}"`, api.orgId, orgId)]
}

function wrongOrganisation(owned: string, owner: string, orgId: string): KeyProblem {
  return {
    kind: 'wrong-organisation',
    reason: `${owned} belongs to organisation "${owner}", and the key to ${orgText(orgId)}`,
    fix: `set the organisation (org_id) of the key to "${owner}"`,
  }
}

function versionProblems(id: string, versions: readonly string[], api: KeyApi | undefined): KeyProblem[] {
  if (api?.versions === undefined || versions.length === 0) return []
  if (versions.some((name) => api.versions?.includes(name))) return []
  const reason = `the key may use version ${quoted(versions)} of API "${id}", which has only ${quoted(api.versions)}`
  return [{ kind: 'unknown-version', reason, fix: `name one of the versions ${quoted(api.versions)}` }]
}

function unknown(what: 'API' | 'policy', id: string, known: Iterable<string>): KeyProblem {
  const names = [...new Set(known)]
  const near = nearestName(id, names)
  const kind = what === 'API' ? 'unknown-api' : 'unknown-policy'
  const reason = `the gateway has no ${what} "${id}"`
  if (near !== undefined) return { kind, reason, fix: `did you mean "${near}"?` }
  const plural = what === 'API' ? 'APIs' : 'policies'
  const fix =
    names.length === 0
      ? `the gateway has no ${plural} yet`
      : `it has ${quoted(names.slice(0, maxListed))}${names.length > maxListed ? ', …' : ''}`
  return { kind, reason, fix }
}

/** Names that a suggestion lists at most. */
const maxListed = 10

const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ')

const orgText = (orgId: string) => (orgId === '' ? 'no organisation' : `organisation "${orgId}"`)
