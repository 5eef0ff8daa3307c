/**
 * `middleware.operations`: settings of operations become path rules. Source:
 * docs/reference/openapi-extension.md#operation-middleware.
 */
import { isOn, type Json, listOf, memberOf, objectOf, textOf } from '../../../lib/json.ts'
import { operationsOf } from '../operations.ts'
import { addedHeaders } from './globals.ts'
import { rateFields } from './to-upstream.ts'

/** For each part of an operation's middleware: the classic list, and the fields of its rules. */
export const ruleParts: Readonly<Record<string, readonly [list: string, fields: (part: unknown) => Json]>> = {
  allow: ['white_list', ignoringCase],
  block: ['black_list', ignoringCase],
  ignoreAuthentication: ['ignored', ignoringCase],
  internal: ['internal', () => ({})],
  transformRequestMethod: ['method_transforms', (part) => ({ to_method: memberOf(part, 'toMethod') })],
  transformRequestBody: ['transform', template],
  transformResponseBody: ['transform_response', template],
  transformRequestHeaders: ['transform_headers', headers],
  transformResponseHeaders: ['transform_response_headers', headers],
  urlRewrite: ['url_rewrites', rewrite],
  cache: [
    'advance_cache_config',
    (part) => ({
      cache_key_regex: memberOf(part, 'cacheByRegex'),
      cache_response_codes: memberOf(part, 'cacheResponseCodes'),
      timeout: memberOf(part, 'timeout'),
    }),
  ],
  enforceTimeout: ['hard_timeouts', (part) => ({ timeout: memberOf(part, 'value') })],
  requestSizeLimit: ['size_limits', (part) => ({ size_limit: memberOf(part, 'value') })],
  circuitBreaker: [
    'circuit_breakers',
    (part) => ({
      threshold_percent: memberOf(part, 'threshold'),
      samples: memberOf(part, 'sampleSize'),
      return_to_service_after: memberOf(part, 'coolDownPeriod'),
      disable_half_open_state: memberOf(part, 'halfOpenStateEnabled') !== true,
    }),
  ],
  virtualEndpoint: ['virtual', virtualEndpoint],
  postPlugins: ['go_plugin', plugin],
  rateLimit: ['rate_limit', rateFields],
  trackEndpoint: ['track_endpoints', () => ({})],
  doNotTrackEndpoint: ['do_not_track_endpoints', () => ({})],
}

/** The path rules of all operations. */
export function extendedPathsOf(document: Json, operations: Json): Json {
  const lists: Record<string, Json[]> = {}
  for (const { id, path, method } of operationsOf(document)) {
    const middleware = id === '' ? undefined : operations[id]
    for (const [name, [list, fieldsOf]] of Object.entries(ruleParts)) {
      const part = memberOf(middleware, name)
      if (part === undefined) continue
      lists[list] ??= []
      lists[list].push({ path, method, disabled: !isOn(part), ...fieldsOf(part) })
    }
  }
  return lists
}

function ignoringCase(part: unknown): Json {
  return { ignore_case: memberOf(part, 'ignoreCase') }
}

function headers(part: unknown): Json {
  return { add_headers: addedHeaders(part), delete_headers: memberOf(part, 'remove') }
}

function template(part: unknown): Json {
  const path = textOf(memberOf(part, 'path'))
  return {
    template_data: {
      input_type: memberOf(part, 'format'),
      template_mode: path === '' ? 'blob' : 'file',
      template_source: path === '' ? memberOf(part, 'body') : path,
    },
  }
}

function virtualEndpoint(part: unknown): Json {
  const path = textOf(memberOf(part, 'path'))
  return {
    // Older documents say `name`.
    response_function_name: memberOf(part, 'functionName') || memberOf(part, 'name'),
    function_source_type: path === '' ? 'blob' : 'file',
    function_source_uri: path === '' ? memberOf(part, 'body') : path,
    proxy_on_error: memberOf(part, 'proxyOnError'),
    use_session: memberOf(part, 'requireSession'),
  }
}

/** The first enabled plugin of an operation. Older documents say `name`. */
function plugin(part: unknown): Json {
  const enabled = listOf(part).find(isOn)
  return {
    disabled: enabled === undefined,
    plugin_path: memberOf(enabled, 'path'),
    func_name: memberOf(enabled, 'functionName') || memberOf(enabled, 'name'),
  }
}

/** Classic option by the value of `in` of a trigger's rule. */
const matchOptions: Readonly<Record<string, string>> = {
  header: 'header_matches',
  query: 'query_val_matches',
  path: 'path_part_matches',
  sessionMetadata: 'session_meta_matches',
  requestContext: 'request_context_matches',
}

function rewrite(part: unknown): Json {
  return {
    match_pattern: memberOf(part, 'pattern'),
    rewrite_to: memberOf(part, 'rewriteTo'),
    triggers: listOf(memberOf(part, 'triggers')).map((trigger) => ({
      on: memberOf(trigger, 'condition'),
      rewrite_to: memberOf(trigger, 'rewriteTo'),
      options: triggerOptions(listOf(memberOf(trigger, 'rules'))),
    })),
  }
}

function triggerOptions(rules: readonly unknown[]): Json {
  const options: Record<string, Record<string, unknown>> = {}
  for (const rule of rules) {
    const match = { match_rx: memberOf(rule, 'pattern'), reverse: memberOf(rule, 'negate') }
    const option = matchOptions[textOf(memberOf(rule, 'in'))]
    if (option === undefined) options['payload_matches'] = match
    else options[option] = { ...objectOf(options[option]), [textOf(memberOf(rule, 'name'))]: match }
  }
  return options
}
