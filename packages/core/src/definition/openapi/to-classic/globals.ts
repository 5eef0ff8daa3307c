/** `middleware.global`: settings for all paths. Source: docs/reference/openapi-extension.md#global-middleware. */
import { isOn, type Json, listOf, memberOf, objectOf, textOf } from '../../../lib/json.ts'

export function globalFields(global: Json): Json {
  const cors = objectOf(global['cors'])
  const cache = objectOf(global['cache'])
  return {
    CORS: {
      enable: isOn(cors),
      max_age: cors['maxAge'],
      allow_credentials: cors['allowCredentials'],
      exposed_headers: cors['exposedHeaders'],
      allowed_headers: cors['allowedHeaders'],
      allowed_origins: cors['allowedOrigins'],
      allowed_methods: cors['allowedMethods'],
      options_passthrough: cors['optionsPassthrough'],
      debug: cors['debug'],
    },
    cache_options: {
      enable_cache: isOn(cache),
      cache_timeout: cache['timeout'],
      cache_all_safe_requests: cache['cacheAllSafeRequests'],
      cache_response_codes: cache['cacheResponseCodes'],
      cache_by_headers: cache['cacheByHeaders'],
      enable_upstream_cache_control: cache['enableUpstreamCacheControl'],
      cache_control_ttl_header: cache['controlTTLHeaderName'],
      share_private: cache['sharePrivate'],
    },
    enable_context_vars: isOn(global['contextVariables']),
    // Traffic logs are on by default.
    do_not_track: global['trafficLogs'] !== undefined && !isOn(global['trafficLogs']),
    disable_rate_limit: global['skipRateLimit'],
    disable_quota: global['skipQuota'],
    dont_set_quota_on_create: global['skipQuotaReset'],
  }
}

/** The settings that belong to the version of a classic definition. */
export function versionOfGlobals(global: Json): Json {
  const request = global['transformRequestHeaders']
  const response = global['transformResponseHeaders']
  const size = global['requestSizeLimit']
  return {
    global_headers: addedHeaders(request),
    global_headers_remove: memberOf(request, 'remove'),
    global_headers_disabled: !isOn(request),
    global_response_headers: addedHeaders(response),
    global_response_headers_remove: memberOf(response, 'remove'),
    global_response_headers_disabled: !isOn(response),
    global_size_limit: memberOf(size, 'value'),
    global_size_limit_disabled: !isOn(size),
    ignore_endpoint_case: isOn(global['ignoreCase']),
  }
}

/** The headers that a part adds, by name. */
export function addedHeaders(part: unknown): Json {
  return Object.fromEntries(
    listOf(memberOf(part, 'add')).map((header) => [textOf(memberOf(header, 'name')), memberOf(header, 'value')]),
  )
}
