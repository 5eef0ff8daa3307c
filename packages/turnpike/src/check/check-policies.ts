/** Checks policies: fields, limits, and the APIs and versions that they name. */
import {
  findUnsupported,
  ineffectiveFindings,
  parseFirstJson,
  unknownFields,
  unsupportedInPolicies,
} from '@turnpike/core/definition'
import { isJson, type JsonPath, readShape } from '@turnpike/core/lib'
import { invalidPatterns, type Policy, policyIdOf, policyShape } from '@turnpike/core/session'
import { type Finding, type Severity, textBehindJson } from '../config/finding.ts'
import { toFindings } from './check-sidecar.ts'
import type { CheckedApi } from './checked-api.ts'
import { didYouMean, findingAt, type ReadFile } from './finding-at.ts'
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
      const reason = `policy "${placed.id}" is also defined in ${before.file}; the one that is read last wins`
      findings.push(at(placed, 'error', ['id'], reason, 'give each policy an id of its own'))
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
    findings.push({ severity: 'error', source: file, field: '', reason: problem ?? 'cannot be read' })
    return []
  }
  const parsed = parseFirstJson(text)
  if (parsed.problem !== undefined) {
    const { line, column, message } = parsed.problem
    findings.push({ severity: 'error', source: file, line, column, field: '', reason: message })
    return []
  }
  const { value, rest } = parsed
  if (rest !== undefined) findings.push({ severity: 'warning', source: file, ...rest, field: '', ...textBehindJson })
  if (!isJson(value)) {
    findings.push({ severity: 'error', source: file, line: 1, column: 1, field: '', reason: 'must be an object' })
    return []
  }
  const ids = Object.keys(value).filter((id) => id !== '$schema')
  const entries: [JsonPath, string, unknown][] =
    kind === 'map' ? ids.map((id) => [[id], id, value[id]]) : [[[], '', value]]
  return entries.flatMap(([path, id, one]) => {
    if (!isWrapper(one)) return readPolicy({ file, text, path, strict }, id, one, findings)
    findings.push(at({ file, text, path }, 'error', [], 'contains policies; move them one level up'))
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
  for (const { kind, path, message } of problems) if (kind === 'type') findings.push(at(place, 'error', path, message))
  const unsupported = isJson(value) ? findUnsupported(unsupportedInPolicies, policy) : []
  const ineffective = [...unknownFields(problems), ...unsupported]
  findings.push(...toFindings(place.file, ineffectiveFindings(place.text, ineffective, { above: place.path, strict })))
  // The gateway uses a policy without fields that limit nothing.
  if (!isJson(value)) return []
  const id = mapId !== '' ? mapId : policyIdOf(policy)
  if (id === '') {
    findings.push(at(place, 'error', ['id'], 'is missing, so that the policy is ignored', 'give it an id'))
    return []
  }
  if (mapId !== '' && policy.id !== '' && policy.id !== mapId) {
    findings.push(at(place, 'warning', ['id'], `is not looked at, since the policy is named "${mapId}" by its file`))
  }
  return [{ ...place, id, policy }]
}

function checkLimits(placed: PlacedPolicy): Finding[] {
  const { policy } = placed
  const { quota, rateLimit, acl, complexity, perApi } = policy.partitions
  const findings: Finding[] = []
  if (perApi && (quota || rateLimit || acl || complexity)) {
    const reason = 'per_api goes with no other partition, so that no key can use this policy'
    findings.push(at(placed, 'error', ['partitions', 'per_api'], reason, 'set per_api alone, or leave it out'))
  }
  if (policy.rate > 0 !== policy.per > 0) {
    const [there, missing] = policy.rate > 0 ? ['rate', 'per'] : ['per', 'rate']
    const reason = `stands without ${missing}, so that there is no rate limit`
    findings.push(at(placed, 'warning', [there], reason, `set ${missing} as well`))
  }
  if (policy.isInactive) {
    findings.push(at(placed, 'warning', ['is_inactive'], 'makes every key with this policy inactive'))
  }
  if (policy.accessRights === null && !(quota || rateLimit)) {
    const reason = 'is empty, so that this policy alone opens nothing'
    findings.push(at(placed, 'warning', ['access_rights'], reason, 'name the APIs that it opens'))
  }
  return findings
}

function checkRights(
  placed: PlacedPolicy,
  apis: ReadonlyMap<string, CheckedApi['definition']>,
  mayExist: (apiId: string) => boolean,
): Finding[] {
  const findings = invalidPatterns(placed.policy.accessRights).map(({ path, message }) =>
    at(placed, 'error', path, message, 'correct it; until then the requests that it may concern are rejected'),
  )
  for (const [id, right] of Object.entries(placed.policy.accessRights ?? {})) {
    const path = ['access_rights', id]
    const api = apis.get(id)
    if (api === undefined) {
      if (mayExist(id)) continue
      const reason = `there is no API with the id "${id}"`
      findings.push(at(placed, 'error', path, reason, didYouMean(id, apis.keys())))
      continue
    }
    if (api.orgId !== placed.policy.orgId) {
      const reason = `the API is of organisation "${api.orgId}", the policy of "${placed.policy.orgId}", so that keys with it are refused`
      findings.push(at(placed, 'error', path, reason, 'use one organisation'))
    }
    if (right.apiId !== '' && right.apiId !== id) {
      findings.push(at(placed, 'warning', [...path, 'api_id'], `says "${right.apiId}", but stands under "${id}"`))
    }
    if (api.versioning.kind !== 'named') continue
    for (const [i, version] of (right.versions ?? []).entries()) {
      if (api.versions.has(version)) continue
      const reason = `the API has no version "${version}"`
      findings.push(at(placed, 'warning', [...path, 'versions', i], reason, didYouMean(version, api.versions.keys())))
    }
  }
  return findings
}

function at(place: Place, severity: Severity, path: JsonPath, reason: string, fix?: string): Finding {
  return findingAt(place, severity, [...place.path, ...path], reason, fix)
}
