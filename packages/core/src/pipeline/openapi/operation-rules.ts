/**
 * Finds the rule of a kind (request validation, mock responses) for a request, where paths of the document overlap
 * (docs/reference/openapi-validation.md#overlapping-paths). Rules whose paths differ in the names of parameters only
 * are candidates of one rule, among which the values in the path decide. Paths without parameters shield their requests
 * from rules with parameters.
 */
import { extensionOf } from '../../definition/openapi/extension.ts'
import { type DocumentOperation, operationsOf, pathShapeOf } from '../../definition/openapi/operations.ts'
import { isOn, type Json, memberOf } from '../../lib/json.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext } from '../contract/stage.ts'
import { compilePathRules, headFollowsGet } from '../shared/match-path-rules.ts'
import { type Candidate, compileCandidate } from './path-candidate.ts'
import { compileWholePaths } from './whole-paths.ts'

interface OperationRule<T> {
  readonly operation: DocumentOperation
  readonly use: T
}

/** The rule of a request. `unfit`: its path has candidates in this order, and no value fits one of them. */
type Choice<T> = { readonly use: T; readonly unfit?: undefined } | { readonly unfit: readonly T[] }

/** `undefined`: the request has no rule. */
type FindChoice<T> = (context: RequestContext) => Choice<T> | undefined

/** All rules of one method and one shape of path; without candidates it is a shield. */
interface OperationSlot<T> {
  readonly path: string
  readonly method: string
  readonly candidates: readonly Pick<Candidate<T>, 'use' | 'fits'>[]
}

/**
 * Compiles the enabled rules of a kind; `null`: there are none. `make` gets the part of the extension that configures the
 * rule of an operation.
 */
export function compileOperationRules<T>(
  kind: 'validateRequest' | 'mockResponse',
  compileContext: CompileContext,
  make: (operation: DocumentOperation, part: unknown) => T,
): FindChoice<T> | null {
  const { oas: document } = compileContext.api
  if (document === undefined) return null
  const extension = extensionOf(document, compileContext.services.settings.vendor)
  const rules = operationsOf(document).flatMap((operation): OperationRule<T>[] => {
    const part = operation.id === '' ? undefined : memberOf(extension, 'middleware', 'operations', operation.id, kind)
    return isOn(part) ? [{ operation, use: make(operation, part) }] : []
  })
  if (rules.length === 0) return null
  // For validation, a path below a listen path with variables has to be a path of the document.
  const isWhole = kind === 'validateRequest' && compileContext.api.listenPath.includes('{')
  const slots = slotsOf(document, rules, isWhole)
  const { ignoreEndpointCase } = compileContext.services.settings.routing
  const find = isWhole
    ? compileWholePaths(slots, ignoreEndpointCase, headFollowsGet(compileContext))
    : compilePathRules(slots, compileContext, (slot) => slot, { coversHead: true })
  return find && ((context) => choose(find(context), context))
}

function choose<T>(slot: OperationSlot<T> | undefined, { path }: RequestContext): Choice<T> | undefined {
  const [first, ...others] = slot?.candidates ?? []
  if (first === undefined) return undefined
  // A rule without competitors is checked completely, with any values.
  if (others.length === 0) return first
  return slot?.candidates.find((candidate) => candidate.fits(path)) ?? { unfit: slot?.candidates.map(useOf) ?? [] }
}

const useOf = <T>({ use }: Pick<Candidate<T>, 'use'>): T => use

/** Slots in the order of the document's operations. `withAll`: paths with parameters and without a rule are slots too. */
function slotsOf<T>(document: Json, rules: readonly OperationRule<T>[], withAll: boolean): readonly OperationSlot<T>[] {
  const byOperation = new Map(rules.map((rule) => [keyOf(rule.operation), rule]))
  const shields = rules.some(({ operation }) => hasParameter(operation.path))
  const slots = new Map<string, { path: string; method: string; rules: OperationRule<T>[] }>()
  for (const operation of operationsOf(document)) {
    const { path, method } = operation
    const rule = byOperation.get(keyOf(operation))
    if (rule === undefined && !withAll && (!shields || hasParameter(path))) continue
    const key = `${method} ${pathShapeOf(path)}`
    const slot = slots.get(key) ?? { path, method, rules: [] }
    slots.set(key, slot)
    if (rule !== undefined) slot.rules.push(rule)
  }
  return [...slots.values()].map((slot) => ({
    path: slot.path,
    method: slot.method,
    candidates: candidatesOf(document, slot.rules),
  }))
}

/** The values of a request are compared only where several rules compete. */
function candidatesOf<T>(document: Json, rules: readonly OperationRule<T>[]): OperationSlot<T>['candidates'] {
  if (rules.length < 2) return rules.map(({ use }) => ({ use, fits: () => true }))
  return rules.map(({ operation, use }) => compileCandidate(document, operation, use)).sort(byPrecedence)
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
