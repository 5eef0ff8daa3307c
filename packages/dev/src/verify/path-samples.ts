/**
 * Paths that the rules of an API speak of, each as one path that a client could ask for, and a plain reading of rules
 * that is none of the engine's.
 */
import type { AllowedUrl, ApiVersion } from '@turnpike/core'

/** One rule of a version, or one entry of a key's `allowed_urls`. */
export interface PathSample {
  /** What speaks of it: `rate_limit`, `allowed_urls`. */
  readonly rule: string
  /** As it is written. */
  readonly written: string
  readonly method: string
  /** A path that fits, behind the listen path. */
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

/** Of all rules of a version that can be written out as a path. */
export function samplesOfVersion({ paths }: ApiVersion): PathSample[] {
  return Object.entries(wireNames).flatMap(([name, rule]) => {
    const rules = paths[name as keyof typeof paths] as readonly { path?: string; method?: string }[]
    return rules.flatMap(({ path = '', method = '' }) => sampleOf(rule, path, method))
  })
}

/** Of what a key may call. */
export function samplesOfUrls(urls: readonly AllowedUrl[]): PathSample[] {
  return urls.flatMap(({ url, methods }) => (methods ?? []).flatMap((method) => sampleOf('allowed_urls', url, method)))
}

/** Nothing for patterns of which no example can be told at a glance. */
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
 * Whether a rule is meant for a request: its path stands anywhere in one of the request's, `{name}` for one segment
 * and a star for the rest. An empty method is all methods.
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

/** A path behind the listen path, and the whole path: rules are looked for in both. */
export function formsOf({ listenPath }: { readonly listenPath: string }, path: string): string[] {
  return [path, listenPath.replace(/\/$/, '') + path]
}
