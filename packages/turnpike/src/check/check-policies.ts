/** Checks policies: fields, limits, and the APIs and versions that they name. */
import {
  type FindingId,
  type FindingValues,
  fileFinding,
  findUnsupported,
  ineffectiveFindings,
  parseFirstJson,
  syntaxFinding,
  unknownFields,
  unsupportedInPolicies,
} from '@turnpike/core/definition'
import { isJson, type JsonPath, nearestName, readShape } from '@turnpike/core/lib'
import { invalidPatterns, type Policy, policyIdOf, policyShape } from '@turnpike/core/session'
import type { Finding } from '../config/finding.ts'
import type { CheckedApi } from './checked-api.ts'
import { findingAt, type ReadFile } from './finding-at.ts'
import type { CheckedFile } from './read-folder.ts'

/** One policy and its position: file, and path inside the file. */
interface PlacedPolicy extends ReadFile {
  readonly path: JsonPath
  readonly id: string
  readonly policy: Policy
}

export interface CheckedPolicies {
  /** Ids that keys and definitions may name. */
  readonly ids: ReadonlySet<string>
  readonly findings: readonly Finding[]
}

export interface PolicyCheckOptions {
  /** `map`: the file is an object of policies by id; `folder`: each file is one policy. */
  readonly kind: 'map' | 'folder'
  readonly apis: readonly CheckedApi[]
  /** Returns true for ids of APIs whose files could not be parsed. */
  readonly mayExist: (apiId: string) => boolean
  /** `strict` of the configuration. Default: false. */
  readonly strict?: boolean
}

export function checkPolicies(
  files: readonly CheckedFile[],
  { kind, apis, mayExist, strict = false }: PolicyCheckOptions,
): CheckedPolicies {
  const findings: Finding[] = []
  const policies = files.flatMap((file) => readFile(file, { kind, strict }, findings))
  const byId = new Map(apis.map(({ definition }) => [definition.id, definition]))
  const seen = new Map<string, PlacedPolicy>()
  for (const placed of policies) {
    const before = seen.get(placed.id)
    if (before !== undefined && before.policy.orgId === placed.policy.orgId) {
      findings.push(at(placed, 'shared-policy-id', ['id'], { id: placed.id, file: before.file }))
    }
    seen.set(placed.id, placed)
    findings.push(...checkLimits(placed), ...checkRights(placed, byId, mayExist))
  }
  return { ids: new Set(seen.keys()), findings }
}

function readFile(
  { file, text, problem }: CheckedFile,
  { kind, strict }: Required<Pick<PolicyCheckOptions, 'kind' | 'strict'>>,
  findings: Finding[],
): PlacedPolicy[] {
  if (text === undefined) {
    findings.push(fileFinding('unreadable-file', file, { problem: problem ?? 'cannot be read' }))
    return []
  }
  const parsed = parseFirstJson(text)
  if (parsed.problem !== undefined) {
    findings.push(syntaxFinding(parsed.problem, file))
    return []
  }
  const { value, rest } = parsed
  if (rest !== undefined) findings.push({ ...fileFinding('text-behind-json', file), ...rest })
  if (!isJson(value)) {
    findings.push({ ...fileFinding('not-an-object', file), line: 1, column: 1 })
    return []
  }
  const ids = Object.keys(value).filter((id) => id !== '$schema')
  const entries: [JsonPath, string, unknown][] =
    kind === 'map' ? ids.map((id) => [[id], id, value[id]]) : [[[], '', value]]
  return entries.flatMap(([path, id, one]) => {
    if (!isWrapper(one)) return readPolicy({ file, text, path, strict }, id, one, findings)
    findings.push(at({ file, text, path }, 'nested-policies', []))
    return []
  })
}

/** Whether a value holds policies and is none itself: a list, or an object of policies by id. */
function isWrapper(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || isPolicyLike(value)) return false
  const members: unknown[] = Object.values(value)
  return members.length > 0 && members.every(isPolicyLike)
}

function isPolicyLike(value: unknown): boolean {
  return isJson(value) && ['access_rights', 'access_rights_array', 'quota_max', 'org_id'].some((name) => name in value)
}

type Place = Pick<PlacedPolicy, 'file' | 'text' | 'path'>

function readPolicy(
  { strict, ...place }: Place & { readonly strict: boolean },
  mapId: string,
  value: unknown,
  findings: Finding[],
): PlacedPolicy[] {
  const { value: policy, problems } = readShape(policyShape, value)
  for (const { kind, path, message } of problems) {
    if (kind === 'type') findings.push(at(place, 'wrong-type', path, { problem: message }))
  }
  const unsupported = isJson(value) ? findUnsupported(unsupportedInPolicies, policy) : []
  const ineffective = [...unknownFields(problems), ...unsupported]
  const { file: source, path: above } = place
  findings.push(...ineffectiveFindings(place.text, ineffective, { source, above, strict }))
  // The gateway uses a policy without fields that limit nothing.
  if (!isJson(value)) return []
  const id = mapId !== '' ? mapId : policyIdOf(policy)
  if (id === '') {
    findings.push(at(place, 'policy-without-id', ['id']))
    return []
  }
  if (mapId !== '' && policy.id !== '' && policy.id !== mapId) {
    findings.push(at(place, 'policy-id-ignored', ['id'], { id: mapId }))
  }
  return [{ ...place, id, policy }]
}

function checkLimits(placed: PlacedPolicy): Finding[] {
  const { policy } = placed
  const { quota, rateLimit, acl, complexity, perApi } = policy.partitions
  const findings: Finding[] = []
  if (perApi && (quota || rateLimit || acl || complexity)) {
    findings.push(at(placed, 'per-api-beside-partitions', ['partitions', 'per_api']))
  }
  if (policy.rate > 0 !== policy.per > 0) {
    const [there, missing] = policy.rate > 0 ? ['rate', 'per'] : ['per', 'rate']
    findings.push(at(placed, 'incomplete-policy-rate', [there], { missing }))
  }
  if (policy.isInactive) findings.push(at(placed, 'inactive-policy', ['is_inactive']))
  if (policy.accessRights === null && !(quota || rateLimit)) {
    findings.push(at(placed, 'policy-without-rights', ['access_rights']))
  }
  return findings
}

function checkRights(
  placed: PlacedPolicy,
  apis: ReadonlyMap<string, CheckedApi['definition']>,
  mayExist: (apiId: string) => boolean,
): Finding[] {
  const findings = invalidPatterns(placed.policy.accessRights).map(({ path, message }) =>
    at(placed, 'invalid-right-pattern', path, { problem: message }),
  )
  for (const [id, right] of Object.entries(placed.policy.accessRights ?? {})) {
    const path = ['access_rights', id]
    const api = apis.get(id)
    if (api === undefined) {
      if (mayExist(id)) continue
      findings.push(at(placed, 'unknown-api', path, { id }, nearestName(id, apis.keys())))
      continue
    }
    if (api.orgId !== placed.policy.orgId) {
      const values = { api: api.orgId, policy: placed.policy.orgId }
      findings.push(at(placed, 'policy-of-other-organisation', path, values))
    }
    if (right.apiId !== '' && right.apiId !== id) {
      findings.push(at(placed, 'right-under-other-id', [...path, 'api_id'], { id: right.apiId, key: id }))
    }
    if (api.versioning.kind !== 'named') continue
    for (const [i, version] of (right.versions ?? []).entries()) {
      if (api.versions.has(version)) continue
      const near = nearestName(version, api.versions.keys())
      findings.push(at(placed, 'unknown-version', [...path, 'versions', i], { version }, near))
    }
  }
  return findings
}

function at<Id extends FindingId>(place: Place, id: Id, path: JsonPath, ...values: FindingValues<Id>): Finding {
  return findingAt(place, id, [...place.path, ...path], ...values)
}
