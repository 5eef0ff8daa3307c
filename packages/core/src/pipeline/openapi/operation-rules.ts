/**
 * Finds the rule of a kind (request validation, mock responses) for a request, where paths of the document overlap
 * (docs/reference/openapi-validation.md#overlapping-paths). Rules whose paths differ in the names of parameters only
 * are candidates of one rule, among which the values in the path decide. Paths without parameters shield their requests
 * from rules with parameters.
 */
import { type DocumentOperation, operationsOf, pathShapeOf } from '../../definition/openapi/operations.ts'
import type { Json } from '../../lib/json.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext } from '../contract/stage.ts'
import { compilePathRules } from '../shared/match-path-rules.ts'
import { type Candidate, compileCandidate } from './path-candidate.ts'
import { compileWholePaths } from './whole-paths.ts'

export interface OperationRule<T> {
  readonly operation: DocumentOperation
  readonly use: T
}

/** The rule of a request. `unfit`: its path has candidates in this order, and no value fits one of them. */
export type Choice<T> = { readonly use: T; readonly unfit?: undefined } | { readonly unfit: readonly T[] }

/** `undefined`: the request has no rule. */
export type FindChoice<T> = (context: RequestContext) => Choice<T> | undefined

/** All rules of one method and one shape of path; without candidates it is a shield. */
interface OperationSlot<T> {
  readonly path: string
  readonly method: string
  readonly candidates: readonly Candidate<T>[]
}

export interface OperationRuleOptions {
  /** Whether a path below a listen path with variables has to be a path of the document. */
  readonly wholeBelowVariables: boolean
}

/** Compiles the enabled rules of a kind; `null`: there are none. */
export function compileOperationRules<T>(
  document: Json,
  rules: readonly OperationRule<T>[],
  compileContext: CompileContext,
  { wholeBelowVariables }: OperationRuleOptions,
): FindChoice<T> | null {
  if (rules.length === 0) return null
  const isWhole = wholeBelowVariables && compileContext.api.listenPath.includes('{')
  const slots = slotsOf(document, rules, isWhole)
  const find = isWhole
    ? compileWholePaths(slots, compileContext)
    : compilePathRules(slots, compileContext, (slot) => slot)
  return find && ((context) => choose(find(context), context))
}

function choose<T>(slot: OperationSlot<T> | undefined, { path }: RequestContext): Choice<T> | undefined {
  const [first, ...others] = slot?.candidates ?? []
  if (first === undefined) return undefined
  // A rule without competitors is checked completely, with any values.
  if (others.length === 0) return first
  return slot?.candidates.find((candidate) => candidate.fits(path)) ?? { unfit: slot?.candidates.map(useOf) ?? [] }
}

const useOf = <T>({ use }: Candidate<T>): T => use

/** Slots in the order of the document's operations. `withAll`: paths with parameters and without a rule are slots too. */
function slotsOf<T>(document: Json, rules: readonly OperationRule<T>[], withAll: boolean): readonly OperationSlot<T>[] {
  const byOperation = new Map(rules.map((rule) => [keyOf(rule.operation), rule.use]))
  const shields = rules.some(({ operation }) => hasParameter(operation.path))
  const slots = new Map<string, { path: string; method: string; candidates: Candidate<T>[] }>()
  for (const operation of operationsOf(document)) {
    const { path, method } = operation
    const use = byOperation.get(keyOf(operation))
    if (use === undefined && !withAll && (!shields || hasParameter(path))) continue
    const key = `${method} ${pathShapeOf(path)}`
    const slot = slots.get(key) ?? { path, method, candidates: [] }
    slots.set(key, slot)
    if (use !== undefined) slot.candidates.push(compileCandidate(document, operation, use))
  }
  for (const { candidates } of slots.values()) candidates.sort(byPrecedence)
  return [...slots.values()]
}

function keyOf({ method, path }: DocumentOperation): string {
  return `${method} ${path}`
}

function hasParameter(path: string): boolean {
  return pathShapeOf(path) !== path
}

function byPrecedence(a: Candidate<unknown>, b: Candidate<unknown>): number {
  return b.rank - a.rank || b.patternLength - a.patternLength || (a.path < b.path ? -1 : 1)
}
