/** Service discovery of the target. Source: docs/reference/service-discovery.md#discovery-fields. */
import { isOn, type Json, memberOf, numberOf } from '../../../lib/json.ts'

export function toClassicDiscovery(discovery: unknown): Json {
  const { enabled, timeout } = cacheOf(discovery)
  return {
    use_discovery_service: memberOf(discovery, 'enabled'),
    query_endpoint: memberOf(discovery, 'queryEndpoint'),
    use_nested_query: memberOf(discovery, 'useNestedQuery'),
    parent_data_path: memberOf(discovery, 'parentDataPath'),
    data_path: memberOf(discovery, 'dataPath'),
    port_data_path: memberOf(discovery, 'portDataPath'),
    target_path: memberOf(discovery, 'targetPath'),
    use_target_list: memberOf(discovery, 'useTargetList'),
    endpoint_returns_list: memberOf(discovery, 'endpointReturnsList'),
    cache_disabled: !enabled,
    cache_timeout: timeout,
  }
}

/** Replaces the deprecated `cacheTimeout` by `cache`, for responses of the management API. */
export function withCurrentCache(discovery: Json): Json {
  const { cacheTimeout, ...rest } = discovery
  if (cacheTimeout === undefined) return discovery
  return rest['cache'] !== undefined || numberOf(cacheTimeout) <= 0 ? rest : { ...rest, cache: cacheOf(discovery) }
}

function cacheOf(discovery: unknown): { readonly enabled: boolean; readonly timeout: unknown } {
  const cache = memberOf(discovery, 'cache')
  if (cache !== undefined) return { enabled: isOn(cache), timeout: memberOf(cache, 'timeout') }
  const timeout = memberOf(discovery, 'cacheTimeout')
  return { enabled: numberOf(timeout) > 0, timeout }
}
