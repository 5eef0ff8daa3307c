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
  persist_graphql: 'Requests that become stored GraphQL operations.',
  rate_limit: 'Rates over all callers.',
  'circuit_breakers.threshold_percent': 'Share of failed requests between 0 and 1.',
  'circuit_breakers.samples': 'Number of requests that are counted.',
  'circuit_breakers.return_to_service_after': 'Seconds until the upstream is called again.',
  'hard_timeouts.timeout': 'Seconds.',
  'size_limits.size_limit': 'Bytes.',
  'method_transforms.to_method': 'The new method.',
  'mock_response.code': 'Status of the response.',
  'mock_response.body': 'Body of the response.',
  'mock_response.headers': 'Headers of the response.',
  'advance_cache_config.cache_key_regex': 'Regular expression; its match in the request body is part of the cache key.',
  'advance_cache_config.cache_response_codes': 'Statuses that are cached. Default: those of the API.',
  'advance_cache_config.timeout': 'Seconds. Default: 0, as for the API.',
  'circuit_breakers.disable_half_open_state': 'Sends no trial request to an upstream that failed.',
  'url_rewrites.triggers.options.header_matches': 'Expressions by header.',
  'url_rewrites.triggers.options.query_val_matches': 'Expressions by query parameter.',
  'url_rewrites.triggers.options.path_part_matches':
    'Expressions for the segments of the path, by a name of your choice.',
  'url_rewrites.triggers.options.session_meta_matches': 'Expressions by member of the meta data of the key.',
  'url_rewrites.triggers.options.request_context_matches': 'Expressions by context variable.',
  'url_rewrites.triggers.rewrite_to': 'The new path or URL if the trigger matches.',
  'virtual.response_function_name': 'Name of the function that responds.',
  'virtual.function_source_type': 'file: the source is a path. blob: the source is the script in base64.',
  'virtual.function_source_uri': 'Path of the script, or the script in base64.',
  'virtual.proxy_on_error': 'The upstream responds if the script fails.',
  'virtual.use_session': 'The script receives the session of the key and may change its meta data.',
  'validate_json.schema': 'JSON Schema, draft 4.',
  'validate_json.schema_b64': 'The same in base64; `schema` wins.',
  'rate_limit.rate': 'Number of requests.',
  'rate_limit.per': 'Number of seconds.',
  'transform_headers.delete_headers': 'Headers that are removed.',
  'transform_headers.add_headers': 'Headers that are set; variables such as $svc_meta.NAME are replaced.',
  'transform_response_headers.delete_headers': 'Headers that are removed.',
  'transform_response_headers.add_headers': 'Headers that are set; variables such as $svc_meta.NAME are replaced.',
  'validate_json.error_response_code': 'Status of a rejection. Default: 422.',
}

/** Lists whose entries have the three common members. */
const ruleLists = [
  ...[
    'ignored',
    'white_list',
    'black_list',
    'mock_response',
    'advance_cache_config',
    'transform',
    'transform_response',
  ],
  ...[
    'transform_headers',
    'transform_response_headers',
    'hard_timeouts',
    'circuit_breakers',
    'url_rewrites',
    'virtual',
  ],
  ...['size_limits', 'method_transforms', 'track_endpoints', 'do_not_track_endpoints', 'validate_json', 'internal'],
  'rate_limit',
]

const common = {
  disabled: 'The rule does nothing.',
  path: 'Path of the requests: a regular expression, in which {name} stands for a segment.',
  method: 'Method of the requests.',
}

const anyMethod = 'Method of the requests. Default: any.'
const listedPath = {
  method: anyMethod,
  ignore_case: 'The path matches in any case.',
  method_actions: 'Older form of mock responses, by method.',
  'method_actions.*.action': 'reply: the gateway responds. no_action: the list applies.',
  'method_actions.*.code': 'Status of the response.',
  'method_actions.*.data': 'Body of the response.',
  'method_actions.*.headers': 'Headers of the response.',
}

const template = {
  'template_data.input_type': 'Format of the body: json or xml.',
  'template_data.template_mode': 'blob: the source is the template in base64. file: it is a path.',
  'template_data.template_source': 'The template in base64, or its path.',
  'template_data.enable_session': 'The template can use the meta data of the key.',
}

const match = {
  match_rx: 'Regular expression; its groups can be used in `rewrite_to`.',
  reverse: 'The expression must not match.',
}

const all: Readonly<Record<string, string>> = {
  ...lists,
  ...Object.assign({}, ...ruleLists.map((list) => below(list, common))),
  ...below('ignored', listedPath),
  ...below('white_list', listedPath),
  ...below('black_list', listedPath),
  'mock_response.ignore_case': listedPath.ignore_case,
  ...below('transform', template),
  ...below('transform_response', template),
  ...Object.assign(
    {},
    ...['header', 'query_val', 'path_part', 'session_meta', 'request_context'].map((kind) =>
      below(`url_rewrites.triggers.options.${kind}_matches.*`, match),
    ),
  ),
  ...below('url_rewrites.triggers.options.payload_matches', match),
}

function below(path: string, descriptions: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(descriptions).map(([name, text]) => [`${path}.${name}`, text]))
}

/** By path; `above` is the path of the object with the rules. */
export function pathRuleDescriptions(above: string): Record<string, string> {
  return Object.fromEntries(Object.entries(all).map(([path, text]) => [path === '' ? above : `${above}.${path}`, text]))
}
