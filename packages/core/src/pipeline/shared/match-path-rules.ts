/**
 * Rules by path, in the form that all lists of extended paths share: the first rule of a list, in the order of the
 * definition, whose method and path match applies (docs/reference/api-definition.md#path-matching).
 *
 * A path is tried without the listen path and version segment, without the listen path, and whole. It is always the
 * client's path, also for rules about responses and after rewriting. Percent-escapes are decoded first, so that no
 * spelling of a blocked path passes.
 */
import { compileMethodRules } from '../../definition/mcp/method-rules.ts'
import { ordinaryRules, speaksMcp } from '../../definition/mcp/primitive.ts'
import { compilePrimitiveRules, type NameMatching } from '../../definition/mcp/primitive-rules.ts'
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
}

/** Finds the rule for a request; `undefined` if none matches. */
export type FindRule<T> = (context: RequestContext) => T | undefined

interface CompiledRule<T> extends IndexableRule {
  readonly method: string
  readonly test: (path: string) => boolean
  readonly use: T
}

/**
 * Compiles a list; `make` compiles each rule. Rules for which `make` returns `undefined` are ignored. Rules whose path
 * is not a valid pattern are ignored with a warning. Returns `null` if no rule remains. On MCP proxies, rules for the
 * primitive of the message precede rules for its method, and those precede rules for the path.
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
 * Makes a stage that runs for requests with a rule: `run` gets what `make` compiled. Returns `null` if no rule remains.
 */
export function makeRuleStage<R extends PathRuleLike, T>(
  rules: readonly R[],
  compileContext: CompileContext,
  make: (rule: R) => T | undefined,
  run: (use: T, context: RequestContext) => Maybe<Outcome>,
): Unnamed<Stage> | null {
  const find = compilePathRules(rules, compileContext, make)
  if (find === null) return null
  return {
    run(context) {
      const use = find(context)
      return use === undefined ? undefined : run(use, context)
    },
  }
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
  const anyMethod = options.anyMethod ?? false
  const findWithout = findAmong(anyMethod ? compiled.filter(({ method }) => method === '') : [])
  const byMethod = new Map<string, FindRule<T>>()
  for (const method of new Set(compiled.map((rule) => rule.method))) {
    const own = compiled.filter((rule) => rule.method === method || (anyMethod && rule.method === ''))
    if (method !== '') byMethod.set(method, findAmong(own))
  }
  return (context) => (byMethod.get(context.request.method) ?? findWithout)(context)
}

/** A list with more rules has an index. */
const maxWithoutIndex = 8

/** Finds the first rule whose path matches. */
function findAmong<T>(rules: readonly CompiledRule<T>[]): FindRule<T> {
  if (rules.length === 0) return () => undefined
  if (rules.length <= maxWithoutIndex) {
    return (context) => {
      const forms = pathForms(context)
      return rules.find(({ test }) => fitsPath(test, forms))?.use
    }
  }
  let index: PathRuleIndex | undefined
  return (context) => {
    index ??= new PathRuleIndex(rules)
    const forms = pathForms(context)
    const place = index.find(longestForms(forms), (at) => fitsPath((rules[at] as CompiledRule<T>).test, forms))
    return place === undefined ? undefined : rules[place]?.use
  }
}

/** The three forms of a path; `undefined` if a form equals the previous one. */
interface PathForms {
  readonly inner: string
  readonly withVersion: string | undefined
  readonly whole: string | undefined
}

function pathForms({ path, pathWithVersion, request }: RequestContext): PathForms {
  return {
    inner: decodePercent(path),
    withVersion: pathWithVersion === path ? undefined : decodePercent(pathWithVersion),
    whole: request.path === pathWithVersion ? undefined : decodePercent(request.path),
  }
}

/** The forms without those that another one ends with: the index finds rules from each slash of a path on. */
function longestForms({ inner, withVersion, whole }: PathForms): readonly string[] {
  const forms = [whole, withVersion, inner].filter((path) => path !== undefined)
  return forms.filter(
    (path, i) => i === 0 || !path.startsWith('/') || !forms.slice(0, i).some((one) => one.endsWith(path)),
  )
}

function fitsPath(test: (path: string) => boolean, { inner, withVersion, whole }: PathForms): boolean {
  return test(inner) || (withVersion !== undefined && test(withVersion)) || (whole !== undefined && test(whole))
}

function ignoresCase(
  rule: PathRuleLike,
  { version, services }: CompileContext,
  { foldsByVersion = false }: PathRuleOptions,
): boolean {
  const byVersion = foldsByVersion && version.ignoreCase
  return services.settings.routing.ignoreEndpointCase || byVersion || (rule.ignoreCase ?? false)
}

/** Compiles the path of a rule; `undefined`, with a warning, if it is not a valid pattern. */
export function compileRulePath(
  rule: PathRuleLike,
  compileContext: CompileContext,
  options: PathRuleOptions,
): ((path: string) => boolean) | undefined {
  const { services, api } = compileContext
  const { pathPrefixMatching, pathSuffixMatching } = services.settings.routing
  const compile = () =>
    compilePathPattern(rule.path, {
      ignoreCase: ignoresCase(rule, compileContext, options),
      prefix: pathPrefixMatching,
      suffix: pathSuffixMatching,
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
  if (pattern.problem === undefined) return (path) => pattern.test(path)
  services.log.warn('a path rule is ignored: its path is not a valid pattern', {
    api: api.id,
    path: rule.path,
    reason: pattern.problem,
  })
  return undefined
}
