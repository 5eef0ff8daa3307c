/** Says why a traced request was rejected: which policy, key, API or organisation decided, and when to retry. */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import { formatRfc3339 } from '../../lib/text/time.ts'
import type { Millis } from '../../ports/clock.ts'
import type { CachedKey } from '../../session/cached-key.ts'
import { policiesOf } from '../../session/policies/policies-of-session.ts'
import type { Policy } from '../../session/policies/policy.ts'
import type { PolicyBook } from '../../session/policies/policy-book.ts'
import {
  givesAccess,
  limitsUrls,
  policiesOfQuota,
  policiesOfRate,
  setsDepth,
  setsEndpointRate,
} from '../../session/policies/policy-parts.ts'
import type { LimitOwner, RejectionReason } from '../contract/rejection-reason.ts'
import type { KeptTrace, LimitReading } from '../contract/stage-trace.ts'

interface Facts {
  readonly code: string
  readonly api: ApiDefinition
  readonly key: CachedKey | undefined
  /** The policies of the key. */
  readonly policies: readonly Policy[]
}

/** Returns the reason, or `undefined` if no stage rejected the request. */
export function findRejectionReason(
  trace: KeptTrace,
  api: ApiDefinition,
  book: PolicyBook,
  now: Millis,
): RejectionReason | undefined {
  const code = trace.rejectionCode()
  if (code === undefined) return undefined
  const key = trace.key()
  const policies = key === undefined ? [] : policiesOf(key.session, book).flatMap(({ policy }) => policy ?? [])
  const facts = { code, api, key, policies }
  const exceeded = trace.limits.findLast(({ allowed }) => !allowed)
  const reason = exceeded !== undefined ? reasonOfLimit(exceeded, facts, now) : reasonOfKey(facts)
  return reason ?? reasonOfApi(facts, trace)
}

function reasonOfLimit(limit: LimitReading, facts: Facts, now: Millis): RejectionReason {
  const { kind, endpoint, max, seconds, resetsAt } = limit
  const setBy = ownersOfLimit(limit, facts)
  const what = `${max} ${max === 1 ? 'request' : 'requests'}${seconds > 0 ? ` in ${seconds} s` : ''}`
  const where = endpoint === '' ? '' : ` on ${endpoint}`
  const text = `${namesOf(setBy)} ${setBy.length > 1 ? 'set' : 'sets'} the ${kind} of ${what}${where}`
  const retry = resetsAt === undefined ? 'it never resets' : `retry ${waitText(resetsAt, now)}`
  return { code: facts.code, message: `${text}; ${retry}`, limit: text, setBy, retryAt: resetsAt }
}

function waitText(at: Millis, now: Millis): string {
  const seconds = Math.ceil((at - now) / 1000)
  return seconds > 0 ? `in ${seconds} s, at ${timeText(at)}` : 'now'
}

function ownersOfLimit({ kind, owner, endpoint, max, seconds }: LimitReading, facts: Facts): LimitOwner[] {
  const { api, policies } = facts
  if (owner === 'api') return [ownerOfApi(api)]
  if (owner === 'organisation') return [{ kind: 'organisation', id: api.orgId, name: '' }]
  const limit = { max, seconds }
  if (kind === 'quota') return ownersOf(facts, policiesOfQuota(policies, api.id, limit))
  if (endpoint === '') return ownersOf(facts, policiesOfRate(policies, api.id, limit))
  const setting = policies.filter((policy) => setsEndpointRate(policy, api.id, limit))
  return ownersOf(facts, setting)
}

/** Rejections for the state or the rights of the key. */
function reasonOfKey(facts: Facts): RejectionReason | undefined {
  const { code, api, key, policies } = facts
  const apiText = named('API', api.id, api.name)
  const reason = (setBy: readonly LimitOwner[], text: string) => ({ code, message: text, setBy, retryAt: undefined })
  const byRights = (deciding: readonly Policy[], text: (names: string) => string) => {
    const setBy = ownersOf(facts, deciding)
    return reason(setBy, text(namesOf(setBy)))
  }
  if (code === 'key-unknown') return reasonOfUnknownKey(facts)
  if (key === undefined) return undefined
  switch (code) {
    case 'key-inactive':
      return byRights(
        policies.filter(({ isInactive }) => isInactive),
        (by) => `${by}: is_inactive is set, so the key is inactive`,
      )
    case 'key-expired': {
      const since = key.expiresAt === undefined ? '' : ` at ${timeText(key.expiresAt)}`
      return reason(ownersOf(facts, []), `${keyText(key)} expired${since}; set a later "expires" or create another key`)
    }
    case 'api-forbidden':
      return policies.some((policy) => givesAccess(policy, api.id)) || api.id in (key.session.accessRights ?? {})
        ? byRights(policies, (by) => `${by}: access_rights of ${apiText} do not list the requested version`)
        : byRights(policies, (by) => `${by}: access_rights do not list ${apiText}`)
    case 'url-forbidden':
      return byRights(
        policies.filter((policy) => limitsUrls(policy, api.id)),
        (by) => `${by}: allowed_urls of ${apiText} do not permit this method and path`,
      )
    case 'graphql-depth':
      return byRights(
        policies.filter(setsDepth),
        (by) => `${by}: max_query_depth is smaller than the depth of the query`,
      )
    case 'graphql-introspection':
    case 'method-forbidden':
    case 'primitive-forbidden':
    case 'method-unavailable':
    case 'primitive-unavailable':
      return byRights(
        policies.filter((policy) => givesAccess(policy, api.id)),
        (by) => `${by}: access_rights of ${apiText} do not permit this`,
      )
    default:
      return undefined
  }
}

/** Clients get the same rejection for a key that does not exist and for one that cannot be used. */
function reasonOfUnknownKey(facts: Facts): RejectionReason {
  const { code, api, key, policies } = facts
  if (key?.policyProblem !== undefined) {
    const message = `the policies of ${keyText(key)} cannot be applied: ${key.policyProblem}`
    return { code, message, setBy: ownersOf(facts, policies), retryAt: undefined }
  }
  const org = api.orgId === '' ? '' : ` of organisation "${api.orgId}"`
  const message =
    key === undefined
      ? `no key${org} matches the credential of the request; create one, or check its organisation`
      : `the request does not prove ${keyText(key)} in the way in which it was created`
  return { code, message, setBy: key === undefined ? [] : [ownerOfKey(key)], retryAt: undefined }
}

/** All other rejections are decided by the definition of the API or by the organisation. */
function reasonOfApi({ code, api }: Facts, { stages }: KeptTrace): RejectionReason {
  if (code === 'org-inactive' || code === 'org-rate' || code === 'org-off-thread') {
    const message = `organisation "${api.orgId}" decides: its session is inactive, is over its limits or does not open the API`
    return { code, message, setBy: [{ kind: 'organisation', id: api.orgId, name: '' }], retryAt: undefined }
  }
  const stage = stages.findLast(({ verdict }) => verdict.startsWith('rejects'))
  const by = stage === undefined ? '' : ` in the stage ${stage.stage}`
  const message = `the definition of ${named('API', api.id, api.name)} decides${by}`
  return { code, message, setBy: [ownerOfApi(api)], retryAt: undefined }
}

/** The deciding policies; without any, the key itself. */
function ownersOf({ key }: Facts, deciding: readonly Policy[]): LimitOwner[] {
  if (deciding.length > 0) return deciding.map(({ id, name }) => ({ kind: 'policy', id, name }))
  return key === undefined ? [] : [ownerOfKey(key)]
}

const ownerOfKey = (key: CachedKey): LimitOwner => ({ kind: 'key', id: key.logName, name: key.session.alias })
const ownerOfApi = ({ id, name }: ApiDefinition): LimitOwner => ({ kind: 'api', id, name })

function keyText(key: CachedKey): string {
  return named('key', key.logName, key.session.alias)
}

function namesOf(owners: readonly LimitOwner[]): string {
  return owners.map(({ kind, id, name }) => named(kind === 'api' ? 'API' : kind, id, name)).join(' and ')
}

/** The id, and the name where it differs: `policy "gold" (Gold plan)`. */
function named(what: string, id: string, name: string): string {
  return `${what} "${id}"${name === '' || name === id ? '' : ` (${name})`}`
}

/** UTC, to the second. */
function timeText(at: Millis): string {
  return formatRfc3339(at).replace(/\.\d+/, '')
}
