/**
 * What counts of a policy in which fields have a wrong type. The original gateway uses the fields that it can read, so a
 * rate that it cannot read limits nothing. Here a policy never opens more than was written: a number in a text counts,
 * a field that limits nothing can be missing, and any other wrong field makes the policy invalid.
 * Source: docs/reference/policies.md#policy-sources, docs/differences.md.
 */
import type { Json } from '../../lib/json.ts'
import { printJsonPath } from '../../lib/shape/json-path.ts'
import { type JsonPath, type Problem, readShape } from '../../lib/shape/shape.ts'
import { type Policy, policyShape } from './policy.ts'

/** Fields without which a policy opens nothing, by their last name. */
const limitsNothing: ReadonlySet<string> = new Set([
  ...['_id', 'name', 'tags', 'meta_data', 'last_updated', 'active', 'hmac_enabled', 'smoothing', 'api_name'],
  ...['throttle_interval', 'throttle_retry_limit', 'graphql_access_rights'],
])

export interface UsablePolicy {
  readonly policy: Policy
  /** Problems other than wrong types. */
  readonly problems: readonly Problem[]
  /** What is wrong with each field of a wrong type, and how it counts. */
  readonly wrong: readonly string[]
}

/** The policy, or the first wrong field that makes it invalid. */
export function readUsablePolicy(value: Json): UsablePolicy | { readonly invalid: Problem } {
  const first = readShape(policyShape, value).problems.filter(isWrongType)
  const given = JSON.parse(JSON.stringify(value)) as Record<string, unknown>
  const numbers = first.flatMap(({ path, message }) => {
    const number = replaceByNumber(given, path)
    return number === undefined ? [] : [`${printJsonPath(path)} ${message}; it counts as ${number}, correct it`]
  })
  const { value: policy, problems } = readShape(policyShape, given)
  const others = problems.filter(isWrongType)
  const invalid = others.find(({ path }) => !path.some((step) => limitsNothing.has(String(step))))
  if (invalid !== undefined) return { invalid }
  const missing = others.map(({ path, message }) => {
    return `${printJsonPath(path)} ${message}; the policy is used without it, correct it`
  })
  return { policy, problems: problems.filter((problem) => !isWrongType(problem)), wrong: [...numbers, ...missing] }
}

function isWrongType({ kind }: Problem): boolean {
  return kind === 'type'
}

/** Replaces a text that is a decimal number, and returns the number; `undefined`: the value is no such text. */
function replaceByNumber(policy: object, path: JsonPath): number | undefined {
  let parent: unknown = policy
  for (const step of path.slice(0, -1)) parent = (parent as Json)[step]
  const last = path.at(-1)
  if (last === undefined) return undefined
  const owner = parent as Record<string, unknown>
  const text = owner[last]
  if (typeof text !== 'string' || !/^-?\d{1,15}(\.\d{1,9})?$/.test(text)) return undefined
  owner[last] = Number(text)
  return Number(text)
}
