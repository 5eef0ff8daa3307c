/**
 * Which requests use the cache, how long responses are stored and how cached ones are marked: compiled from `cache_options` and the path lists of a
 * version (docs/reference/response-cache.md#cached-requests). A path rule overrides `cache_all_safe_requests`.
 */
import type { CacheRule, UpstreamControl } from '../../cache/configured-lifetime.ts'
import { compileRe2, type Re2 } from '../../lib/regex/re2.ts'
import { vendorForms } from '../../lib/vendor.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext } from '../contract/stage.ts'
import { compilePathRules } from '../shared/match-path-rules.ts'

/** A rule, with the part of the body that counts. */
export interface PathCacheRule extends CacheRule {
  /** Finds the part; `undefined`: the whole body counts. */
  readonly bodyPart: Re2 | undefined
}

/** The rule for a request; `undefined`: neither read nor written. */
export type FindCacheRule = (context: RequestContext) => PathCacheRule | undefined

/** Default of `cache_timeout` in seconds (docs/differences.md#response-cache). */
const defaultTimeout = 60

/** Returns the kind of cache of an API. MCP proxies have none. */
export function cacheModeOf({ api, services }: CompileContext): 'off' | 'configured' | 'rfc9111' {
  const { cacheOptions, applicationProtocol } = api.document
  if (!cacheOptions.enableCache || applicationProtocol === 'mcp' || services.settings.cache.maxBytes <= 0) return 'off'
  return rulesOf({ api, services }) === 'rfc9111' ? 'rfc9111' : 'configured'
}

/** Returns whether the cache does as recorded: it ignores `Vary` and what clients can put into responses of others. */
export function isRecordedCache(compileContext: CompileContext): boolean {
  return rulesOf(compileContext) === 'recorded'
}

function rulesOf({ api, services }: Pick<CompileContext, 'api' | 'services'>): string {
  return api.document.cacheMode || (services.settings.cache.mode ?? 'compatible')
}

/** Returns the name of the header that marks cached responses. */
export function cacheMarkerOf({ services }: CompileContext): string {
  return `x-${vendorForms(services.settings.vendor).lower}-cached-response`
}

/** `cache_timeout` in seconds, or its default. */
export function timeoutOf({ api }: CompileContext): number {
  return api.document.cacheOptions.cacheTimeout ?? defaultTimeout
}

/** Returns the names of targeted fields (RFC 9213), in lower case and in the order of preference. */
export function targetHeadersOf({ api }: CompileContext): readonly string[] {
  return (api.document.cacheOptions.targetHeaders ?? ['CDN-Cache-Control']).map((name) => name.toLowerCase())
}

/** Returns the headers with which the upstream controls the cache; `undefined` if it may not. */
export function upstreamControlOf({ api, services }: CompileContext): UpstreamControl | undefined {
  const { enableUpstreamCacheControl, cacheControlTtlHeader } = api.document.cacheOptions
  if (!enableUpstreamCacheControl) return undefined
  const store = `x-${vendorForms(services.settings.vendor).lower}-cache-action-set`
  return { store, lifetime: cacheControlTtlHeader.toLowerCase() || `${store}-ttl` }
}

/** Compiles the rules; `null` if no response would ever be stored. */
export function compileCacheRules(compileContext: CompileContext): FindCacheRule | null {
  const { cacheOptions } = compileContext.api.document
  const general: PathCacheRule = {
    timeoutSeconds: timeoutOf(compileContext),
    codes: codesOf(cacheOptions.cacheResponseCodes),
    bodyPart: undefined,
  }
  const advanced = compileAdvanced(compileContext, general)
  const listed = compileListed(compileContext)
  const all = cacheOptions.cacheAllSafeRequests
  if (!all && advanced === null && listed === null) return null
  const steered = cacheOptions.enableUpstreamCacheControl
  return (context) => {
    const safe = isSafeMethod(context.request.method)
    const rule = advanced?.(context) ?? (safe && (all || listed?.(context) === true) ? general : undefined)
    return rule === undefined || (rule.timeoutSeconds <= 0 && !steered) ? undefined : rule
  }
}

/**
 * Returns which requests use the cache in mode rfc9111: those that the definition selects by `cache_all_safe_requests` or
 * a path, and all if it selects none.
 */
export function compileCachePaths(compileContext: CompileContext): (context: RequestContext) => boolean {
  const { paths } = compileContext.version
  const rules = [...paths.cache.map((path) => ({ path, method: '' })), ...paths.advanceCacheConfig]
  if (compileContext.api.document.cacheOptions.cacheAllSafeRequests || rules.length === 0) return () => true
  // By path only: an unsafe request must invalidate the responses stored for its path.
  const find = compilePathRules(
    rules.map(({ path }) => ({ path, method: '' })),
    compileContext,
    () => true,
    { anyMethod: true },
  )
  return (context) => find?.(context) === true
}

/** The method of the client decides, not the transformed one, as in the original gateway. */
function isSafeMethod(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
}

function compileAdvanced(compileContext: CompileContext, general: PathCacheRule): FindCacheRule | null {
  return compilePathRules(compileContext.version.paths.advanceCacheConfig, compileContext, (rule) => ({
    timeoutSeconds: rule.timeout > 0 ? rule.timeout : general.timeoutSeconds,
    codes: codesOf(rule.cacheResponseCodes) ?? general.codes,
    bodyPart: compileBodyPart(rule.cacheKeyRegex),
  }))
}

function compileListed(compileContext: CompileContext) {
  const rules = compileContext.version.paths.cache.map((path) => ({ path, method: '' }))
  return compilePathRules(rules, compileContext, () => true, { anyMethod: true })
}

function codesOf(codes: readonly number[] | null): ReadonlySet<number> | undefined {
  return codes === null || codes.length === 0 ? undefined : new Set(codes)
}

/** `1-accept/unsupported-guard.ts` rejects the requests of a rule whose pattern is invalid. */
function compileBodyPart(pattern: string): Re2 | undefined {
  const compiled = pattern === '' ? undefined : compileRe2(pattern)
  return compiled?.problem === undefined ? compiled : undefined
}
