/** What the path rules of a version mean. Source: docs/reference/api-definition.md. */

const lists: Readonly<Record<string, string>> = {
  '': 'Rules by path. A path is a regular expression that is not anchored.',
  ignored: 'Paths that need no credential.',
  white_list: 'Paths that are open; one entry closes all other paths.',
  black_list: 'Paths that are rejected.',
  mock_response: 'Paths to which the gateway responds, not the upstream.',
  cache: 'Paths whose responses are cached.',
  advance_cache_config: 'Cached paths with settings of their own.',
  transform: 'Request bodies that a template rewrites.',
  transform_response: 'Response bodies that a template rewrites.',
  transform_headers: 'Headers that requests get or lose.',
  transform_response_headers: 'Headers that responses get or lose.',
  hard_timeouts: 'Requests that end after some seconds.',
  circuit_breakers: 'Paths whose upstream is not called while it fails.',
  url_rewrites: 'Changes of the path.',
  'url_rewrites.match_pattern': 'Regular expression; its groups are $1, $2, …',
  'url_rewrites.rewrite_to': 'The new path or URL.',
  'url_rewrites.triggers': 'Rewrites that depend on headers, parameters, the session or the body.',
  'url_rewrites.triggers.on': 'all or any of the options must match.',
  virtual: 'Paths to which a script responds.',
  size_limits: 'Largest request bodies in bytes.',
  method_transforms: 'Requests whose method is replaced.',
  track_endpoints: 'Paths that are recorded although the API does not track.',
  do_not_track_endpoints: 'Paths that are not recorded.',
  validate_json: 'Request bodies that must fit a JSON Schema.',
  internal: 'Paths that only loops inside the gateway reach.',
  rate_limit: 'Rates over all callers.',
  'circuit_breakers.threshold_percent': 'Share of failed requests between 0 and 1.',
  'circuit_breakers.samples': 'Number of requests that are counted.',
  'circuit_breakers.return_to_service_after': 'Seconds until the upstream is called again.',
  'hard_timeouts.timeout': 'Seconds.',
  'size_limits.size_limit': 'Bytes.',
  'method_transforms.to_method': 'The new method.',
  'validate_json.error_response_code': 'Status of a rejection. Default: 422.',
}

/** By path; `above` is the path of the object with the rules. */
export function pathRuleDescriptions(above: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(lists).map(([path, text]) => [path === '' ? above : `${above}.${path}`, text]),
  )
}
