/**
 * Rules by path, as all lists of extended paths have them: the first rule of a list, in the order of the definition,
 * whose method and path fit the request counts. Source: spec/apis-and-pipeline.md 2.3, 2.4.
 *
 * A path is tried without listen path and version segment, without listen path, and whole. It is always the client's
 * own path, also for rules about answers and after rewriting. Percent escapes are undone for it: a blocked path stays
 * blocked however it is written.
 */
import type { ApiVersion } from '../../definition/api-definition.ts'
import { ordinaryRules, speaksMcp } from '../../definition/mcp/primitive.ts'
import { compilePrimitiveRules, type NameMatching } from '../../definition/mcp/primitive-rules.ts'
import { compilePathPattern } from '../../lib/regex/path-pattern.ts'
import { decodePercent } from '../../lib/text/percent.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext } from '../contract/stage.ts'
import type { StageServices } from '../contract/stage-services.ts'

export interface PathRuleLike {
  readonly path: string
  readonly method: string
  readonly ignoreCase?: boolean
}

export interface PathRuleOptions {
  /** A rule without method fits every method; else it fits none. */
  readonly anyMethod?: boolean
  /** Case is folded where the version says so; true for the allow, block, ignored and mock lists only. */
  readonly foldsByVersion?: boolean
}

/** Finds the rule for a request; `undefined` when none fits. */
export type FindRule<T> = (context: RequestContext) => T | undefined

interface CompiledRule<T> {
  readonly method: string
  readonly test: (path: string) => boolean
  readonly use: T
}

/**
 * Compiles a list, each rule into what the stage makes of it. A rule of which nothing can be made (`undefined`), or
 * whose path is no valid pattern, is left out; the latter with a warning. `null` when no rule is left. On MCP proxies
 * a rule for what the message asks for comes before those for its path.
 */
export function compilePathRules<R extends PathRuleLike, T>(
  rules: readonly R[],
  compileContext: CompileContext,
  make: (rule: R) => T | undefined,
  options: PathRuleOptions = {},
): FindRule<T> | null {
  const { document } = compileContext.api
  const ofPaths = compileOrdinaryRules(ordinaryRules(rules, document), compileContext, make, options)
  const ofPrimitives = speaksMcp(document)
    ? compilePrimitiveRules(rules, nameMatching(compileContext, options), make)
    : null
  if (ofPrimitives === null) return ofPaths
  return (context) => {
    const primitive = context.mcp?.primitive
    return (primitive && ofPrimitives(primitive)) ?? ofPaths?.(context)
  }
}

/** How names of primitives are matched in lists of this API. */
export function nameMatching(
  { version, services }: CompileContext,
  { foldsByVersion = false }: PathRuleOptions = {},
): NameMatching {
  const { ignoreEndpointCase, pathSuffixMatching } = services.settings.routing
  return { ignoreCase: ignoreEndpointCase || (foldsByVersion && version.ignoreCase), whole: pathSuffixMatching }
}

function compileOrdinaryRules<R extends PathRuleLike, T>(
  rules: readonly R[],
  compileContext: CompileContext,
  make: (rule: R) => T | undefined,
  options: PathRuleOptions,
): FindRule<T> | null {
  const compiled: CompiledRule<T>[] = []
  for (const rule of rules) {
    const test = compileRulePath(rule, compileContext, options)
    const use = test === undefined ? undefined : make(rule)
    if (test !== undefined && use !== undefined) compiled.push({ method: rule.method, test, use })
  }
  if (compiled.length === 0) return null
  const anyMethod = options.anyMethod ?? false
  return (context) => {
    const { method } = context.request
    let forms: PathForms | undefined
    for (const rule of compiled) {
      if (rule.method !== method && !(anyMethod && rule.method === '')) continue
      forms ??= pathForms(context)
      if (fitsPath(rule.test, forms)) return rule.use
    }
    return undefined
  }
}

/** The three forms of a path; `undefined` where a form is the same as the one before. */
export interface PathForms {
  readonly inner: string
  readonly withVersion: string | undefined
  readonly whole: string | undefined
}

export function pathForms({ path, pathWithVersion, request }: RequestContext): PathForms {
  return {
    inner: decodePercent(path),
    withVersion: pathWithVersion === path ? undefined : decodePercent(pathWithVersion),
    whole: request.path === pathWithVersion ? undefined : decodePercent(request.path),
  }
}

export function fitsPath(test: (path: string) => boolean, { inner, withVersion, whole }: PathForms): boolean {
  return test(inner) || (withVersion !== undefined && test(withVersion)) || (whole !== undefined && test(whole))
}

/** The test for one rule's path; `undefined`, with a warning, when it is no valid pattern. */
export function compileRulePath(
  rule: PathRuleLike,
  { version, services, api }: CompileContext,
  { foldsByVersion = false }: PathRuleOptions,
): ((path: string) => boolean) | undefined {
  const ignoreCase = foldsCase(rule, foldsByVersion ? version : undefined, services)
  const { pathPrefixMatching, pathSuffixMatching } = services.settings.routing
  const pattern = compilePathPattern(rule.path, {
    ignoreCase,
    prefix: pathPrefixMatching,
    suffix: pathSuffixMatching,
  })
  if (pattern.problem === undefined) return (path) => pattern.test(path)
  services.log.warn('a path rule is left out: its path is no valid pattern', {
    api: api.id,
    path: rule.path,
    reason: pattern.problem,
  })
  return undefined
}

function foldsCase(rule: PathRuleLike, version: ApiVersion | undefined, { settings }: StageServices): boolean {
  return settings.routing.ignoreEndpointCase || (version?.ignoreCase ?? false) || (rule.ignoreCase ?? false)
}
