/** `middleware`: stages of the whole API and of single operations. Source: docs/reference/openapi-extension.md. */
import {
  anything,
  boolean,
  field,
  camelObject as group,
  integer,
  list,
  map,
  number,
  optional,
  text,
} from '../../../lib/shape/shape.ts'
import { described, enabled, headerRulesShape, rateShape, switchShape } from './shared-members.ts'

const corsShape = group({
  enabled,
  maxAge: described('Seconds for which browsers keep a preflight response.', integer),
  allowCredentials: boolean,
  exposedHeaders: list(text),
  allowedHeaders: list(text),
  allowedOrigins: list(text),
  allowedMethods: list(text),
  optionsPassthrough: described('The upstream responds to OPTIONS requests.', boolean),
  debug: boolean,
})

const globalCacheShape = group({
  enabled,
  timeout: described('Seconds. Default: 60.', optional(integer)),
  cacheAllSafeRequests: described('Caches all GET and HEAD requests.', boolean),
  cacheResponseCodes: described('Statuses that are cached. Default: all.', list(integer)),
  cacheByHeaders: described('Request headers that are part of the key.', list(text)),
  sharePrivate: described('Keyless APIs also cache responses for one client.', boolean),
  enableUpstreamCacheControl: described('The upstream decides by headers.', boolean),
  controlTTLHeaderName: described('Response header with the lifetime in seconds.', text),
})

const pluginShape = group({
  enabled,
  functionName: text,
  path: described('File of the script.', text),
  requireSession: described('The script receives the session.', boolean),
  rawBodyOnly: boolean,
})
const pluginsShape = list(pluginShape)
const olderPluginsShape = group({ plugins: pluginsShape })

export const globalShape = group({
  cors: described('Cross-origin resource sharing.', corsShape),
  cache: described('Cache of responses.', globalCacheShape),
  transformRequestHeaders: described('Headers that every request gets or loses.', headerRulesShape),
  transformResponseHeaders: described('Headers that every response gets or loses.', headerRulesShape),
  contextVariables: described('Fills $svc_context variables.', switchShape),
  trafficLogs: described('Writes analytics records. Default: on.', switchShape),
  ignoreCase: described('Paths match in any case.', switchShape),
  requestSizeLimit: described('Largest request body in bytes.', group({ enabled, value: integer })),
  skipRateLimit: described('Rate limits of keys do not apply.', boolean),
  skipQuota: described('Quotas of keys do not apply.', boolean),
  skipQuotaReset: described('Writing a key does not reset its quota.', boolean),
  pluginConfig: described(
    'Settings of scripts.',
    group({
      driver: described('otto.', text),
      bundle: group({ enabled, path: text }),
      data: group({ enabled, value: described('Data for scripts.', map(anything)) }),
    }),
  ),
  prePlugins: described('Scripts before authentication.', pluginsShape),
  postAuthenticationPlugins: described('Scripts after authentication.', pluginsShape),
  postPlugins: described('Scripts before the upstream.', pluginsShape),
  responsePlugins: described('Scripts that change the response.', pluginsShape),
  prePlugin: described('Older form of prePlugins.', olderPluginsShape),
  postAuthenticationPlugin: described('Older form of postAuthenticationPlugins.', olderPluginsShape),
  postPlugin: described('Older form of postPlugins.', olderPluginsShape),
  responsePlugin: described('Older form of responsePlugins.', olderPluginsShape),
})

const pathShape = group({ enabled, ignoreCase: described('The path matches in any case.', boolean) })
const bodyShape = group({
  enabled,
  format: described('json or xml.', text),
  body: described('The template in base64.', text),
  path: described('File of the template; instead of body.', text),
})
const sizeShape = group({ enabled, value: described('Largest request body in bytes.', integer) })
const triggerShape = group({
  condition: described('all or any of the rules must match.', text),
  rules: list(
    group({
      in: described('header, query, path, sessionMetadata, requestContext or requestBody.', text),
      name: text,
      pattern: text,
      negate: boolean,
    }),
  ),
  rewriteTo: text,
})

const mockShape = group({
  enabled,
  code: described('Status.', integer),
  body: text,
  headers: list(group({ name: text, value: text })),
  fromOASExamples: described(
    'The response comes from the examples of the document.',
    group({ enabled, code: integer, contentType: text, exampleName: text }),
  ),
})

const operationMembers = {
  allow: described('Opens the operation; one enabled allow closes everything else.', pathShape),
  block: described('Rejects requests to the operation.', pathShape),
  ignoreAuthentication: described('Opens the operation to requests without a credential.', pathShape),
  internal: described('Only loops inside the gateway reach the operation.', switchShape),
  transformRequestMethod: described('Changes the method.', group({ enabled, toMethod: text })),
  transformRequestBody: described('Rewrites the request body with a template.', bodyShape),
  transformResponseBody: described('Rewrites the response body with a template.', bodyShape),
  transformRequestHeaders: described('Headers that the request gets or loses.', headerRulesShape),
  transformResponseHeaders: described('Headers that the response gets or loses.', headerRulesShape),
  urlRewrite: described(
    'Changes the path.',
    group({
      enabled,
      pattern: described('Regular expression; its groups are $1, $2, …', text),
      rewriteTo: text,
      triggers: list(triggerShape),
    }),
  ),
  cache: described(
    'Caches responses of the operation.',
    group({
      enabled,
      cacheByRegex: described('Part of the request body that belongs to the key.', text),
      cacheResponseCodes: list(integer),
      timeout: described('Seconds; 0: as for the API.', integer),
    }),
  ),
  enforceTimeout: described(
    'Ends requests that take longer.',
    group({ enabled, value: described('Seconds.', integer) }),
  ),
  requestSizeLimit: described('Limits the request body.', sizeShape),
  circuitBreaker: described(
    'Stops calling an upstream that fails.',
    group({
      enabled,
      threshold: described('Share of failed requests between 0 and 1.', number),
      sampleSize: described('Number of requests that are counted.', integer),
      coolDownPeriod: described('Seconds until the upstream is called again.', integer),
      halfOpenStateEnabled: described('Lets one request through before the circuit closes.', boolean),
    }),
  ),
  virtualEndpoint: described(
    'A script responds.',
    group({
      enabled,
      functionName: text,
      name: described('Older form of functionName.', text),
      body: described('The script in base64.', text),
      path: described('File of the script.', text),
      proxyOnError: described('The upstream responds if the script fails.', boolean),
      requireSession: boolean,
    }),
  ),
  postPlugins: described('Plugins in Go.', list(group({ enabled, functionName: text, name: text, path: text }))),
  rateLimit: described('Rate over all callers.', rateShape),
  trackEndpoint: described('Records requests although the API does not track.', switchShape),
  doNotTrackEndpoint: described('Records no requests.', switchShape),
  validateRequest: described(
    'Rejects requests that do not fit the document.',
    group({ enabled, errorResponseCode: described('Default: 422.', integer) }),
  ),
  mockResponse: described('The gateway responds, not the upstream.', mockShape),
}

export const operationShape = group(operationMembers)

const primitivesShape = map(operationShape)

export const middlewareShape = group({
  global: described('Settings for all paths.', globalShape),
  operations: described('Settings by operationId.', map(operationShape)),
  stages: field(map(anything), {
    description: 'Turnpike extension: configurations of the custom stages of a program, by the name of the stage.',
  }),
  mcpTools: field(primitivesShape, { description: 'Settings by tool of an MCP proxy.' }),
  mcpResources: field(primitivesShape, { description: 'Settings by resource of an MCP proxy.' }),
  mcpPrompts: field(primitivesShape, { description: 'Settings by prompt of an MCP proxy.' }),
})
