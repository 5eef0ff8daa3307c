/**
 * Rules by path, in the form that all lists of extended paths share: the first rule of a list, in the order of the
 * definition, whose method and path match applies (docs/reference/api-definition.md#path-matching).
 *
 * A path is tried without the listen path and version segment, then without the listen path; lists that decide who may
 * request a path also try it whole. It is always the client's path, also for rules about responses and after rewriting.
 * Percent-escapes are decoded first, so that no spelling of a blocked path passes.
 */
import { compileMethodRules } from '../../definition/mcp/method-rules.ts'
import { ordinaryRules, speaksMcp } from '../../definition/mcp/primitive.ts'
import { compilePrimitiveRules, type NameMatching } from '../../definition/mcp/primitive-rules.ts'
import { type Rejection, rejections } from '../../http/rejections.ts'
import type { Maybe } from '../../lib/maybe.ts'
import { compilePathPattern, isPlainPath } from '../../lib/regex/path-pattern.ts'
import { decodePercent } from '../../lib/text/percent.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext, Outcome, Stage, Unnamed } from '../contract/stage.ts'
import { type IndexableRule, PathRuleIndex } from './path-rule-index.ts'

interface PathRuleLike {
  readonly path: string
  readonly method: string
  readonly ignoreCase?: boolean
}

interface PathRuleOptions {
  /** If true, a rule without a method matches every method; otherwise it matches none. */
  readonly anyMethod?: boolean
  /** If true, `ignore_case` of the version applies: for the allow, block, ignored and mock lists only. */
  readonly foldsByVersion?: boolean
  /** If true, the path with the listen path is tried too: for path lists, their mocks and internal paths only. */
  readonly triesWholePath?: boolean
  /**
   * If true, the list rejects requests and stays closed: `{name:pattern}` matches any segment, and the path is also tried
   * without empty segments, which `%2F%2F` makes and some servers remove.
   */
  readonly rejects?: boolean
  /** If true, rules for GET apply to HEAD where no rule for HEAD matches, unless `head_rules` is `recorded`. */
  readonly coversHead?: boolean
}

/** What a rule becomes that cannot be compiled: its requests are rejected, because the rule may be what guards the path. */
export interface BrokenRule {
  readonly broken: Rejection
}

/** Finds the rule for a request; `undefined` if none matches. */
export type FindRule<T> = (context: RequestContext) => T | undefined

interface CompiledRule<T> extends IndexableRule {
  readonly method: string
  readonly test: (path: string) => boolean
  readonly use: T
}

/**
 * Compiles a list; `make` compiles each rule. Rules for which `make` returns `undefined` do nothing; of a rule that cannot
 * be compiled it returns something that rejects. Returns `null` if no rule remains. On MCP proxies, rules for the primitive
 * of the message precede rules for its method, and those precede rules for the path.
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
  const ofMethods = methodRules(rules, compileContext, make)
  if (ofPrimitives === null && ofMethods === null) return ofPaths
  return (context) => {
    const primitive = context.mcp?.primitive
    return (primitive && ofPrimitives?.(primitive)) ?? ofMethods?.(context) ?? ofPaths?.(context)
  }
}

/**
 * Makes a stage that runs for requests with a rule: `run` gets what `make` compiled, and requests with a broken rule are
 * rejected. Returns `null` if no rule remains.
 */
export function makeRuleStage<R extends PathRuleLike, T>(
  rules: readonly R[],
  compileContext: CompileContext,
  make: (rule: R) => T | BrokenRule | undefined,
  run: (use: T, context: RequestContext) => Maybe<Outcome>,
  options: PathRuleOptions = {},
): Unnamed<Stage> | null {
  const find = compilePathRules(rules, compileContext, make, options)
  if (find === null) return null
  return {
    run(context) {
      const use = find(context)
      if (use === undefined) return undefined
      return isBroken(use) ? use.broken : run(use, context)
    },
  }
}

function isBroken<T>(use: T | BrokenRule): use is BrokenRule {
  return typeof use === 'object' && use !== null && 'broken' in use
}

/** The broken form of a rule. The reason is logged once, when the definition is compiled. */
export function brokenRule(
  { path }: Pick<PathRuleLike, 'path'>,
  reason: string,
  { api, services }: CompileContext,
  rejection: Rejection = rejections.ruleBroken,
): BrokenRule {
  services.log.error('a path rule rejects its requests: it cannot be compiled', { api: api.id, path, reason })
  return { broken: rejection }
}

/** Compiles the rules for JSON-RPC methods of a list; `null` if there are none. */
export function methodRules<R extends PathRuleLike, T>(
  rules: readonly R[],
  { api }: CompileContext,
  make: (rule: R) => T | undefined,
): FindRule<T> | null {
  const ofMethods = speaksMcp(api.document) ? compileMethodRules(rules, make) : null
  return ofMethods === null ? null : ({ mcp }) => (mcp === undefined ? undefined : ofMethods(mcp.method))
}

/** Returns how lists of this API match names of primitives. */
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
    const { path, method } = rule
    const ignoreCase = ignoresCase(rule, compileContext, options)
    if (test !== undefined && use !== undefined) compiled.push({ path, method, ignoreCase, test, use })
  }
  if (compiled.length === 0) return null
  const { anyMethod = false, coversHead = false } = options
  if (coversHead && headFollowsGet(compileContext)) {
    compiled.push(...compiled.filter(({ method }) => method === 'GET').map((rule) => ({ ...rule, method: 'HEAD' })))
  }
  const findWithout = findAmong(anyMethod ? compiled.filter(({ method }) => method === '') : [], options)
  const byMethod = new Map<string, FindRule<T>>()
  for (const method of new Set(compiled.map((rule) => rule.method))) {
    const own = compiled.filter((rule) => rule.method === method || (anyMethod && rule.method === ''))
    if (method !== '') byMethod.set(method, findAmong(own, options))
  }
  return (context) => (byMethod.get(context.request.method) ?? findWithout)(context)
}

/** Whether rules for GET apply to HEAD (docs/reference/request-pipeline.md#head-requests). */
export function headFollowsGet({ services }: CompileContext): boolean {
  return services.settings.routing.headRules !== 'recorded'
}

/** A list with more rules has an index. */
const maxWithoutIndex = 8

/** Finds the first rule whose path matches. */
function findAmong<T>(rules: readonly CompiledRule<T>[], options: PathRuleOptions): FindRule<T> {
  if (rules.length === 0) return () => undefined
  if (rules.length <= maxWithoutIndex) {
    return (context) => {
      const forms = pathForms(context, options)
      return rules.find(({ test }) => fitsPath(test, forms))?.use
    }
  }
  let index: PathRuleIndex | undefined
  return (context) => {
    index ??= new PathRuleIndex(rules)
    const forms = pathForms(context, options)
    const place = index.find(longestForms(forms), (at) => fitsPath((rules[at] as CompiledRule<T>).test, forms))
    return place === undefined ? undefined : rules[place]?.use
  }
}

/** The forms of a path; `undefined` if a form is not tried or equals the previous one. */
interface PathForms {
  readonly inner: string
  readonly withVersion: string | undefined
  readonly whole: string | undefined
  /** The forms without empty segments, if the list rejects requests and there are such segments. */
  readonly joined?: readonly string[]
}

function pathForms(
  { path, pathWithVersion, request }: RequestContext,
  { triesWholePath = false, rejects = false }: PathRuleOptions,
): PathForms {
  const forms = {
    inner: decodePercent(path),
    withVersion: pathWithVersion === path ? undefined : decodePercent(pathWithVersion),
    whole: !triesWholePath || request.path === pathWithVersion ? undefined : decodePercent(request.path),
  }
  if (!rejects) return forms
  const all = [forms.inner, forms.withVersion, forms.whole].filter((form) => form?.includes('//') === true)
  return all.length === 0 ? forms : { ...forms, joined: all.map((form) => (form ?? '').replaceAll(/\/{2,}/g, '/')) }
}

/** The forms without those that another one ends with: the index finds rules from each slash of a path on. */
function longestForms({ inner, withVersion, whole, joined = [] }: PathForms): readonly string[] {
  const forms = [...joined, whole, withVersion, inner].filter((path) => path !== undefined)
  return forms.filter(
    (path, i) => i === 0 || !path.startsWith('/') || !forms.slice(0, i).some((one) => one.endsWith(path)),
  )
}

function fitsPath(test: (path: string) => boolean, { inner, withVersion, whole, joined }: PathForms): boolean {
  if (test(inner) || (withVersion !== undefined && test(withVersion)) || (whole !== undefined && test(whole)))
    return true
  return joined?.some(test) ?? false
}

function ignoresCase(
  rule: PathRuleLike,
  { version, services }: CompileContext,
  { foldsByVersion = false }: PathRuleOptions,
): boolean {
  const byVersion = foldsByVersion && version.ignoreCase
  return services.settings.routing.ignoreEndpointCase || byVersion || (rule.ignoreCase ?? false)
}

/**
 * Compiles the path of a rule; `undefined` if it is not a valid pattern: `1-accept/unsupported-guard.ts` rejects the
 * requests of such a version.
 */
export function compileRulePath(
  rule: PathRuleLike,
  compileContext: CompileContext,
  options: PathRuleOptions,
): ((path: string) => boolean) | undefined {
  const { pathPrefixMatching, pathSuffixMatching } = compileContext.services.settings.routing
  const compile = () =>
    compilePathPattern(rule.path, {
      ignoreCase: ignoresCase(rule, compileContext, options),
      prefix: pathPrefixMatching,
      suffix: pathSuffixMatching,
      anySegment: options.rejects ?? false,
    })
  if (isPlainPath(rule.path)) {
    // A plain path is always valid, so its pattern is compiled at its first use. Large documents have thousands of them.
    let compiled: ReturnType<typeof compile> | undefined
    return (path) => {
      compiled ??= compile()
      return compiled.problem === undefined && compiled.test(path)
    }
  }
  const pattern = compile()
  return pattern.problem === undefined ? (path) => pattern.test(path) : undefined
}
