/** Completes and checks the session of `turnpike keys create` and `update` against the running gateway. */

import { applyPolicies, type PolicyBook, policyIdsOf } from '@turnpike/core/session'
import type { ApiDefinition, Session } from '../../client/index.ts'
import { toSession } from '../../gateway/convert-documents.ts'
import { findKeyProblems, formatKeyProblem } from '../../keys/find-key-problems.ts'
import { type ExitCode, exitCodes, type Io } from '../../terminal/io.ts'
import type { Target } from './call-gateway.ts'
import { readFacts, readPolicies } from './gateway-facts.ts'
import { organisationOfPolicies } from './organisation-of.ts'
import type { SessionOptions } from './session-options.ts'

interface PreparedKey {
  /** The name of a new key; `undefined`: a random one, or the name is known already. */
  readonly id: string | undefined
  readonly isNew: boolean
  readonly options: SessionOptions
  readonly io: Io
}

/**
 * Returns the session to send: with the organisation of its policies or APIs, and with the versions of the APIs of
 * `--api`. Prints the problems and returns an exit code if the key could not work.
 */
export async function prepareSession(
  target: Target,
  given: Session,
  { id, isNew, options, io }: PreparedKey,
): Promise<Session | ExitCode> {
  const policies = await readPolicies(target.client)
  if ('ok' in policies) return target.report(policies)
  const named = options.api.length === 0 ? given : { ...given, access_rights: rightsOf(options.api, new Map()) }
  const wrongType = findWrongType(named)
  if (wrongType !== undefined) {
    io.err(wrongType)
    return exitCodes.wrongUse
  }
  const organisation = named.org_id === undefined ? organisationOfPolicies(named, policies) : undefined
  if (organisation !== undefined && 'problem' in organisation) {
    io.err(organisation.problem)
    return exitCodes.found
  }
  const owned = organisation === undefined ? named : { ...named, org_id: organisation.orgId }
  const facts = await readFacts(target, owned, policies)
  if ('ok' in facts) return target.report(facts)
  const { definitions } = facts
  const session: Session = {
    ...owned,
    ...(owned.org_id === undefined ? orgOfApis(definitions) : {}),
    ...(options.api.length === 0 ? {} : { access_rights: rightsOf(options.api, definitions) }),
  }
  const read = toSession(session)
  // An existing key may name APIs that were removed since; a new right must name an API that is served.
  const allowsUnknownApis = !isNew && options.api.length === 0
  const problems = findKeyProblems(id, read, { ...facts, allowsUnknownApis })
  for (const problem of problems) io.err(formatKeyProblem(problem))
  if (problems.length > 0) return exitCodes.found
  for (const text of overruledLimits(session, options, policies)) io.err(`warning: ${text}`)
  return session
}

/** All versions of each API, because a right without a version that exists gives no access. */
function rightsOf(ids: readonly string[], definitions: ReadonlyMap<string, ApiDefinition>) {
  return Object.fromEntries(
    ids.map((id) => {
      const { name, version_data } = definitions.get(id) ?? {}
      const versions = version_data?.not_versioned === false ? Object.keys(version_data.versions ?? {}) : []
      const right = { api_id: id, versions: versions.length === 0 ? ['Default'] : versions }
      return [id, name === undefined || name === '' ? right : { ...right, api_name: name }]
    }),
  )
}

/** Returns a message if a field of `--session` has a wrong type. */
function findWrongType(session: Session): string | undefined {
  try {
    toSession(session)
    return undefined
  } catch (cause) {
    return `--session: ${cause instanceof Error ? cause.message : String(cause)}`
  }
}

/** The organisation of all APIs of the key, if they have one in common. */
function orgOfApis(definitions: ReadonlyMap<string, ApiDefinition>): { org_id?: string } {
  const orgIds = new Set([...definitions.values()].map(({ org_id = '' }) => org_id))
  const [only] = orgIds
  return orgIds.size === 1 && only !== undefined && only !== '' ? { org_id: only } : {}
}

/** Policies replace the limits of a key, so limits of the command line can be without effect. */
function overruledLimits(session: Session, options: SessionOptions, policies: PolicyBook): string[] {
  const read = toSession(session)
  const ids = policyIdsOf(read)
  if (ids.length === 0) return []
  const applied = applyPolicies(read, policies).session
  const by = `the policy ${ids.map((id) => `"${id}"`).join(', ')} sets`
  const texts: string[] = []
  if (options.rate !== undefined && (applied.rate !== options.rate || applied.per !== options.per)) {
    texts.push(`--rate and --per have no effect: ${by} ${rateText(applied.rate, applied.per)}`)
  }
  const unopened = options.api.filter((id) => !Object.hasOwn(applied.accessRights ?? {}, id))
  if (unopened.length > 0) {
    texts.push(`--api ${unopened.join(', ')} has no effect: ${by} the APIs of the key`)
  }
  if (options.quota !== undefined && applied.quotaMax !== options.quota) {
    texts.push(`--quota has no effect: ${by} ${applied.quotaMax > 0 ? `a quota of ${applied.quotaMax}` : 'no quota'}`)
  }
  return texts
}

function rateText(rate: number, per: number): string {
  return rate > 0 ? `${rate} requests in ${per} s` : 'no rate'
}
