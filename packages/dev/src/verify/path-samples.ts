/**
 * Generates a sample path for each rule of an API, and matches rules with an implementation that is independent of
 * the engine's.
 */
import type { ApiVersion } from '@turnpike/core/definition'
import type { AllowedUrl } from '@turnpike/core/ports'

/** One rule of a version, or one entry of a key's `allowed_urls`. */
export interface PathSample {
  /** Name of the list that contains the rule: `rate_limit`, `allowed_urls`. */
  readonly rule: string
  /** The rule as written in the file. */
  readonly written: string
  readonly method: string
  /** A matching path, relative to the listen path. */
  readonly path: string
}

const wireNames: Readonly<Record<string, string>> = {
  ignored: 'ignored',
  whiteList: 'white_list',
  blackList: 'black_list',
  mockResponse: 'mock_response',
  advanceCacheConfig: 'advance_cache_config',
  transform: 'transform',
  transformHeaders: 'transform_headers',
  transformResponse: 'transform_response',
  transformResponseHeaders: 'transform_response_headers',
  hardTimeouts: 'hard_timeouts',
  circuitBreakers: 'circuit_breakers',
  urlRewrites: 'url_rewrites',
  sizeLimits: 'size_limits',
  methodTransforms: 'method_transforms',
  validateJson: 'validate_json',
  rateLimit: 'rate_limit',
}

/** Returns samples for all rules of a version that have one. */
export function samplesOfVersion({ paths }: ApiVersion): PathSample[] {
  return Object.entries(wireNames).flatMap(([name, rule]) => {
    const rules = paths[name as keyof typeof paths] as readonly { path?: string; method?: string }[]
    return rules.flatMap(({ path = '', method = '' }) => sampleOf(rule, path, method))
  })
}

/** Returns samples for the paths that a key may call. */
export function samplesOfUrls(urls: readonly AllowedUrl[]): PathSample[] {
  return urls.flatMap(({ url, methods }) => (methods ?? []).flatMap((method) => sampleOf('allowed_urls', url, method)))
}

/** Returns an empty list for patterns without an obvious example. */
function sampleOf(rule: string, written: string, method: string): PathSample[] {
  const plain = written
    .replace(/^\^/, '')
    .replace(/\$$/, '')
    .replace(/\{[^{}]*\}/g, '1')
    .replace(/\/\*/g, '/x')
    .replace(/\.\*$/, '')
  if (plain === '' || /[\\[\](){}|+?*^$]/.test(plain)) return []
  const path = plain.startsWith('/') ? plain : `/${plain}`
  return [{ rule, written, method: method === '' ? 'GET' : method, path }]
}

/**
 * Returns true if a rule applies to a request: the rule's path occurs anywhere in one of the request's paths;
 * `{name}` matches one segment and a star matches the rest. An empty method matches all methods.
 */
export function speaksOf(
  rule: { readonly path: string; readonly method?: string },
  method: string,
  paths: readonly string[],
): boolean {
  if (rule.method !== undefined && rule.method !== '' && rule.method !== method) return false
  const source = rule.path.replace(/\{[^{}]*\}/g, '[^/]+').replace(/\/\*/g, '/.*')
  try {
    const pattern = new RegExp(source)
    return paths.some((path) => pattern.test(path))
  } catch {
    return true
  }
}

/** Returns the path relative to the listen path and the whole path, because rules are matched against both. */
export function formsOf({ listenPath }: { readonly listenPath: string }, path: string): string[] {
  return [path, listenPath.replace(/\/$/, '') + path]
}
