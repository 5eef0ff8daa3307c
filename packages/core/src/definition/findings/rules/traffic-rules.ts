/** Findings about rules for paths, bodies and responses, the response cache, events and GraphQL. */
import { rulesOf } from '../finding-rule.ts'

const paths = rulesOf('reference/api-definition.md')
const transforms = rulesOf('reference/transforms.md')
const checks = rulesOf('reference/request-checks.md')
const cache = rulesOf('reference/response-cache.md')
const responses = rulesOf('reference/error-responses.md')
const events = rulesOf('reference/events.md')
const graphql = rulesOf('reference/graphql.md')
const extending = rulesOf('extending.md')

export const trafficRules = {
  'extended-paths-off': paths.warning('has no effect while use_extended_paths is false', 'set it to true'),
  'plain-paths-ignored': paths.warning(
    'has no effect while use_extended_paths is true',
    'move its entries to extended_paths',
  ),
  'variable-in-rejecting-list': paths.warning(
    'has a variable with a pattern, which matches any segment in a list that rejects requests',
    'write {name}, or the pattern in parentheses to reject only what fits it',
  ),
  'rule-for-every-path': paths.warning('is empty, so the rule applies to every path', 'write the path'),
  'rule-of-longer-paths': paths.note(
    'is the beginning of <other>, whose rule never applies: a rule matches longer paths too, and the first one counts',
    'write the rule for <other> first, or end this path with $',
  ),
  'method-in-lower-case': paths.warning('must be in upper case to match a request'),
  'unusual-method': paths.warning('is an unusual method'),
  'invalid-path-pattern': paths.error(
    'is not a valid pattern, so the gateway rejects every request of the version with 500: <problem>',
  ),
  'invalid-regular-expression': paths.error('is not a regular expression in RE2 syntax: <problem>'),
  'large-regular-expression': paths.warning(
    'is a large pattern: its groups are found only in bodies of up to <length> characters',
    'use a smaller one, with lower counts in {} or fewer alternatives',
  ),
  'invalid-mock-status': paths.error('is not an HTTP status'),
  'unknown-method-transform': transforms.error('is not one of <known>: requests are rejected with 405'),
  'rewrite-without-group': transforms.warning(
    'uses $<number>, but match_pattern has <groups>, so that "$<number>" stays in the URL',
  ),
  'rewrite-begins-with-variable': transforms.note(
    'begins with a variable, whose value is escaped as one path segment: it cannot hold a host, and a slash in it becomes %2F',
    'write scheme and host as text, or make the variable the whole target',
  ),
  'invalid-template': transforms.error('<problem>', '', 'The template of a body cannot be read or parsed.'),
  'invalid-json-schema': checks.error(
    'is not a JSON schema, so the gateway rejects the requests of the rule with 500: <problem>',
  ),
  'invalid-error-status': checks.error(
    '<status> is not a status of a response, so 422 is used',
    'write a status from 200 to 999',
  ),
  'invalid-error-override': responses.warning('<problem>', '', 'An error override is invalid and does not apply.'),
  'unknown-response-processor': transforms.warning('is not a response processor and is ignored'),
  'unsupported-response-processor': transforms.warning(
    'is "<name>", which is not supported and is ignored',
    'use a script for responses, or a template',
  ),
  'undeclared-response-processor': transforms.warning(
    'never takes effect: response_processors does not declare {"name": "<name>", "options": {}}',
    'declare it',
  ),

  'unknown-cache-mode': cache.error(
    'is not a cache mode',
    'use "rfc9111", or leave it out to configure the cache by cache_options',
  ),
  'invalid-cached-status': cache.error('<status> is not an HTTP status'),
  'invalid-target-header': cache.error('"<name>" is not a header name'),
  'target-headers-ignored': cache.warning('has no effect without cache_mode "rfc9111"', 'set it, or remove this field'),
  'cache-mode-without-cache': cache.warning(
    'has no effect without cache_options.enable_cache',
    'set enable_cache, or remove this field',
  ),
  'recorded-cache': cache.warning(
    'is "recorded": Vary, codings and bodies of GET are ignored, so clients get responses that were made for others',
    'use "rfc9111"',
  ),
  'shared-private-cache': cache.warning(
    'is on: on requests without a key, clients get responses that were made for others',
    'remove it',
  ),
  'cache-timeout-zero': cache.warning(
    'is 0, so nothing is ever served from the cache',
    'leave it out for the default of 60 seconds',
  ),
  'cache-without-paths': cache.warning(
    'caches nothing: neither cache_all_safe_requests nor a path in cache or advance_cache_config is set',
    'set one of them, or remove it',
  ),
  'cache-without-use': cache.quiet(
    'caches nothing, because the dashboard wrote it and nobody added a path',
    'remove it',
  ),

  'unknown-event': events.warning('is not a known event, so its handlers never run'),
  'unknown-event-handler': events.error(
    'is not a known handler',
    'use eh_web_hook_handler, eh_log_handler or eh_dynamic_handler',
  ),
  'unsupported-event-handler': events.error(
    'is "<name>", which is not supported: its handlers never run',
    'use eh_web_hook_handler, eh_log_handler or eh_dynamic_handler',
  ),
  'incomplete-event-script': events.error('must be {name, path}: the name and the file of a script'),
  'web-hook-target': events.error('must be an absolute URL over http or https'),
  'web-hook-method': events.warning('is not one of <known>; GET is used', 'write one of them'),

  'graphql-version': graphql.error('must be "", "1", "2" or "3-preview"; the API rejects every request'),
  'graphql-mode': graphql.error(
    'the mode "<mode>" is not supported: the API rejects every request',
    'use "proxyOnly" with an upstream that resolves the queries',
  ),
  'graphql-schema': graphql.error('is not a valid schema, so the API rejects every request: <problem>'),
  'custom-stage': extending.warning(
    'is a custom stage: only a program that passes it to createGateway({ stages }) loads this definition, "turnpike start" does not',
  ),
}
