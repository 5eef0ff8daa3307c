/** `middleware`: stages of the whole API and of single operations. Source: docs/reference/openapi-extension.md. */
import {
  anything,
  boolean,
  described,
  camelObject as group,
  integer,
  list,
  map,
  number,
  optional,
  text,
} from '../../../lib/shape/shape.ts'
import { enabled, headerRulesShape, headersShape, rateShape, switchShape, words } from './shared-members.ts'

const corsShape = group({
  enabled,
  maxAge: described('Seconds for which browsers keep a preflight response.', integer),
  allowCredentials: described('Browsers may send cookies and credentials.', boolean),
  exposedHeaders: described('Response headers that scripts in browsers may read.', list(text)),
  allowedHeaders: described('Request headers that browsers may send.', list(text)),
  allowedOrigins: described('Origins that browsers may call from; * stands for any text. Default: all.', list(text)),
  allowedMethods: described('Methods that browsers may use. Default: GET, POST, HEAD.', list(text)),
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
  functionName: described('Name of the object that the file defines.', text),
  path: described('File of the script.', text),
  requireSession: described('The script receives the session.', boolean),
  rawBodyOnly: boolean,
})
const pluginsShape = list(pluginShape)
const olderPluginsShape = group({ plugins: described('The scripts.', pluginsShape) })

const globalShape = group({
  cors: described('Cross-origin resource sharing.', corsShape),
  cache: described('Cache of responses.', globalCacheShape),
  transformRequestHeaders: described('Headers that every request gets or loses.', headerRulesShape),
  transformResponseHeaders: described('Headers that every response gets or loses.', headerRulesShape),
  contextVariables: described('Fills $svc_context variables.', switchShape),
  trafficLogs: described('Writes analytics records. Default: on.', switchShape),
  ignoreCase: described('Paths match in any case.', switchShape),
  requestSizeLimit: described(
    'Largest request body in bytes.',
    group({ enabled, value: described('Bytes.', integer) }),
  ),
  skipRateLimit: described('Rate limits of keys do not apply.', boolean),
  skipQuota: described('Quotas of keys do not apply.', boolean),
  skipQuotaReset: described('Writing a key does not reset its quota.', boolean),
  pluginConfig: described(
    'Settings of scripts.',
    group({
      driver: described('otto.', text),
      bundle: group({ enabled, path: described('File name of the bundle of scripts.', text) }),
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
  format: described('json or xml.', words('json', 'xml')),
  body: described('The template in base64.', text),
  path: described('File of the template; instead of body.', text),
})
const sizeShape = group({ enabled, value: described('Largest request body in bytes.', integer) })
const triggerShape = group({
  condition: described('all or any of the rules must match.', words('all', 'any')),
  rules: described(
    'Expressions that are compared.',
    list(
      group({
        in: described(
          'header, query, path, sessionMetadata, requestContext or requestBody.',
          words('header', 'query', 'path', 'sessionMetadata', 'requestContext', 'requestBody'),
        ),
        name: described('Name of the header, parameter, member or variable.', text),
        pattern: described('Regular expression; its groups can be used in rewriteTo.', text),
        negate: described('The expression must not match.', boolean),
      }),
    ),
  ),
  rewriteTo: described('The new path or URL if the trigger matches.', text),
})

const mockShape = group({
  enabled,
  code: described('Status.', integer),
  body: described('Body of the response.', text),
  headers: described('Headers of the response.', headersShape),
  fromOASExamples: described(
    'The response comes from the examples of the document.',
    group({
      enabled,
      code: described('Status whose example is sent. Default: 200.', integer),
      contentType: described('Media type whose example is sent. Default: application/json.', text),
      exampleName: described('Name of the example. Default: the first one.', text),
    }),
  ),
})

const operationMembers = {
  allow: described('Opens the operation; one enabled allow closes everything else.', pathShape),
  block: described('Rejects requests to the operation.', pathShape),
  ignoreAuthentication: described('Opens the operation to requests without a credential.', pathShape),
  internal: described('Only loops inside the gateway reach the operation.', switchShape),
  transformRequestMethod: described(
    'Changes the method.',
    group({ enabled, toMethod: described('The new method.', text) }),
  ),
  transformRequestBody: described('Rewrites the request body with a template.', bodyShape),
  transformResponseBody: described('Rewrites the response body with a template.', bodyShape),
  transformRequestHeaders: described('Headers that the request gets or loses.', headerRulesShape),
  transformResponseHeaders: described('Headers that the response gets or loses.', headerRulesShape),
  urlRewrite: described(
    'Changes the path.',
    group({
      enabled,
      pattern: described('Regular expression; its groups are $1, $2, …', text),
      rewriteTo: described('The new path or URL.', text),
      triggers: described(
        'Rewrites that depend on headers, parameters, the session or the body; the first one counts.',
        list(triggerShape),
      ),
    }),
  ),
  cache: described(
    'Caches responses of the operation.',
    group({
      enabled,
      cacheByRegex: described('Part of the request body that belongs to the key.', text),
      cacheResponseCodes: described('Statuses that are cached. Default: those of the API.', list(integer)),
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
      functionName: described('Name of the function that responds.', text),
      name: described('Older form of functionName.', text),
      body: described('The script in base64.', text),
      path: described('File of the script.', text),
      proxyOnError: described('The upstream responds if the script fails.', boolean),
      requireSession: described('The script receives the session of the key and may change its meta data.', boolean),
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

const operationsShape = map(group(operationMembers))

export const middlewareShape = group({
  global: described('Settings for all paths.', globalShape),
  operations: described('Settings by operationId.', operationsShape),
  stages: described(
    'Turnpike extension: configurations of the custom stages of a program, by the name of the stage.',
    map(anything),
  ),
  mcpTools: described('Settings by tool of an MCP proxy.', operationsShape),
  mcpResources: described('Settings by resource of an MCP proxy.', operationsShape),
  mcpPrompts: described('Settings by prompt of an MCP proxy.', operationsShape),
})
