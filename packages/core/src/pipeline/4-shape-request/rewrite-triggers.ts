/**
 * Triggers of a rewrite: conditions on headers, query, path, metadata, context and body that select another target.
 * Matches become context variables `trigger-<n>-<name>…` for the target and for later stages
 * (docs/reference/transforms.md#rewrite-triggers).
 */
import { canonicalName } from '../../http/field-names.ts'
import { headersOf } from '../../http/headers.ts'
import { formFields } from '../../lib/form.ts'
import { compileRe2, type Re2, type Re2Match } from '../../lib/regex/re2.ts'
import { textOfFieldValue } from '../../lib/text/field-values.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { RequestVariables } from '../contract/request-variables.ts'
import type { CompileContext } from '../contract/stage.ts'
import { compileRewriteTarget, type RewriteTarget } from './rewrite-target.ts'

type TriggerDocument = NonNullable<CompileContext['version']['paths']['urlRewrites'][number]['triggers']>[number]
type Options = TriggerDocument['options']

/** The input of triggers. */
export interface Seen {
  readonly context: RequestContext
  readonly variables: RequestVariables
  /** The decoded path that the rewrite matches. */
  readonly path: string
  /** Empty if no trigger of the rule needs the body. */
  readonly payload: string
}

export interface Trigger {
  readonly target: RewriteTarget
  readonly needsPayload: boolean
  fires(seen: Seen): boolean
}

/** A pattern on a named value of the request. */
interface Condition {
  /** Name of the variable for matches, before the index of the value. */
  readonly keepAs: string
  readonly indexed: boolean
  readonly pattern: Re2
  readonly reverse: boolean
  values(seen: Seen): readonly string[]
}

/** Returns the first pattern that is invalid, and why. */
export function compileTrigger(
  document: TriggerDocument,
  index: number,
  compileContext: CompileContext,
): Trigger | { readonly pattern: string; readonly problem: string } {
  const conditions: Condition[] = []
  for (const place of placesOf(document.options)) {
    for (const [name, { matchRx, reverse }] of Object.entries(place.matches ?? {})) {
      const pattern = compileRe2(matchRx)
      if (pattern.problem !== undefined) return { pattern: matchRx, problem: pattern.problem }
      conditions.push({
        keepAs: `trigger-${index}-${place.shown?.(name) ?? name}`,
        indexed: place.indexed ?? false,
        pattern,
        reverse,
        values: (seen) => place.values(seen, name),
      })
    }
  }
  const all = document.on.toLowerCase() === 'all'
  return {
    target: compileRewriteTarget(document.rewriteTo, compileContext),
    needsPayload: document.options.payloadMatches.matchRx !== '',
    fires(seen) {
      const holds = (condition: Condition) => isMet(condition, seen)
      return all ? conditions.every(holds) : conditions.some(holds)
    },
  }
}

interface Place {
  readonly matches: Options['headerMatches']
  /** The index of the value is part of the variable name. Default: false. */
  readonly indexed?: boolean
  /** The form of the name that is part of the variable name. Default: as written. */
  shown?(name: string): string
  values(seen: Seen, name: string): readonly string[]
}

function placesOf(options: Options): Place[] {
  const { payloadMatches } = options
  const payload = payloadMatches.matchRx === '' ? null : { payload: payloadMatches }
  const present = (value: string) => (value === '' ? [] : [value])
  return [
    {
      matches: options.headerMatches,
      indexed: true,
      shown: canonicalName,
      values: ({ context }, name) => headersOf(context.outgoing.headers, name.toLowerCase()).map(textOfFieldValue),
    },
    {
      matches: options.queryValMatches,
      indexed: true,
      values: ({ context }, name) => formFields(context.outgoing.query).get(name) ?? [],
    },
    {
      matches: options.pathPartMatches,
      indexed: true,
      values: ({ path }) => path.split('/').filter((part) => part !== ''),
    },
    {
      matches: options.sessionMetaMatches,
      values: ({ variables }, name) => present(variables.metaText(name)),
    },
    {
      matches: options.requestContextMatches,
      values: ({ variables }, name) => present(variables.contextText(name)),
    },
    { matches: payload, values: (seen) => [seen.payload] },
  ]
}

/** A reversed condition is met if no value matches, also if there is no value. */
function isMet({ pattern, reverse, values, keepAs, indexed }: Condition, seen: Seen): boolean {
  let met = false
  for (const [i, value] of values(seen).entries()) {
    const match = pattern.exec(value)
    if (match === undefined) continue
    met = true
    if (!reverse) keep(seen.variables, indexed ? `${keepAs}-${i}` : keepAs, match)
  }
  return met !== reverse
}

function keep(variables: RequestVariables, name: string, { groups }: Re2Match): void {
  variables.keep(name, groups[0] ?? '')
  for (let g = 1; g < groups.length; g++) variables.keep(`${name}-${g - 1}`, groups[g] ?? '')
}
