/** A version of a classic definition and its path rules. Source: docs/reference/api-definition.md. */

import {
  anything,
  boolean,
  described,
  field,
  integer,
  list,
  map,
  number,
  type Of,
  object,
  readOnlyObject,
  type Shape,
  text,
} from '../lib/shape/shape.ts'
import { storedOperation } from './graphql-shape.ts'

const pathRule = {
  disabled: described('The rule does nothing.', boolean),
  path: described('Path of the requests: a regular expression, in which {name} stands for a segment.', text),
  method: described('Method of the requests.', text),
}
const listedPathShape = object({
  ...pathRule,
  method: described('Method of the requests. Default: any.', text),
  ignoreCase: described('The path matches in any case.', boolean),
  methodActions: described(
    'Older form of mock responses, by method.',
    map(
      object({
        action: described('reply: the gateway responds. no_action: the list applies.', text),
        code: described('Status of the response.', integer),
        data: described('Body of the response.', text),
        headers: described('Headers of the response.', map(text)),
      }),
    ),
  ),
})
const templateRuleShape = object({
  ...pathRule,
  templateData: object({
    inputType: described('Format of the body: json or xml.', text),
    templateMode: described('blob: the source is the template in base64. file: it is a path.', text),
    enableSession: described('The template can use the meta data of the key.', boolean),
    templateSource: described('The template in base64, or its path.', text),
  }),
})
const headerRuleShape = object({
  ...pathRule,
  deleteHeaders: described('Headers that are removed.', list(text)),
  addHeaders: described('Headers that are set; variables such as $svc_meta.NAME are replaced.', map(text)),
  actOn: boolean,
})
const matchShape = map(
  object({
    matchRx: described('Regular expression; its groups can be used in `rewrite_to`.', text),
    reverse: described('The expression must not match.', boolean),
  }),
)
const trackedPathShape = object({ ...pathRule })

const omitted = <T>(description: string, shape: Shape<T>) =>
  field(described(description, list(shape)), { omitZero: true })

/** Path rules of a version. All lists except two are left out if they are empty. */
export const extendedPathsShape = object({
  ignored: omitted('Paths that need no credential.', listedPathShape),
  whiteList: omitted('Paths that are open; one entry closes all other paths.', listedPathShape),
  blackList: omitted('Paths that are rejected.', listedPathShape),
  mockResponse: omitted(
    'Paths to which the gateway responds, not the upstream.',
    object({
      ...pathRule,
      ignoreCase: described('The path matches in any case.', boolean),
      code: described('Status of the response.', integer),
      body: described('Body of the response.', text),
      headers: described('Headers of the response.', map(text)),
    }),
  ),
  cache: omitted('Paths whose responses are cached.', text),
  advanceCacheConfig: omitted(
    'Cached paths with settings of their own.',
    object({
      ...pathRule,
      cacheKeyRegex: described('Regular expression; its match in the request body is part of the cache key.', text),
      cacheResponseCodes: described('Statuses that are cached. Default: those of the API.', list(integer)),
      timeout: described('Seconds. Default: 0, as for the API.', integer),
    }),
  ),
  transform: omitted('Request bodies that a template rewrites.', templateRuleShape),
  transformResponse: omitted('Response bodies that a template rewrites.', templateRuleShape),
  transformHeaders: omitted('Headers that requests get or lose.', headerRuleShape),
  transformResponseHeaders: omitted('Headers that responses get or lose.', headerRuleShape),
  hardTimeouts: omitted(
    'Requests that end after some seconds.',
    object({ ...pathRule, timeout: described('Seconds.', integer) }),
  ),
  circuitBreakers: omitted(
    'Paths whose upstream is not called while it fails.',
    object({
      ...pathRule,
      thresholdPercent: described('Share of failed requests between 0 and 1.', number),
      samples: described('Number of requests that are counted.', integer),
      returnToServiceAfter: described('Seconds until the upstream is called again.', integer),
      disableHalfOpenState: described('Sends no trial request to an upstream that failed.', boolean),
    }),
  ),
  urlRewrites: omitted(
    'Changes of the path.',
    object({
      ...pathRule,
      matchPattern: described('Regular expression; its groups are $1, $2, …', text),
      rewriteTo: described('The new path or URL.', text),
      triggers: described(
        'Rewrites that depend on headers, parameters, the session or the body.',
        list(
          object({
            on: described('all or any of the options must match.', text),
            options: object({
              headerMatches: described('Expressions by header.', matchShape),
              queryValMatches: described('Expressions by query parameter.', matchShape),
              pathPartMatches: described(
                'Expressions for the segments of the path, by a name of your choice.',
                matchShape,
              ),
              sessionMetaMatches: described('Expressions by member of the meta data of the key.', matchShape),
              requestContextMatches: described('Expressions by context variable.', matchShape),
              payloadMatches: object({
                matchRx: described('Regular expression; its groups can be used in `rewrite_to`.', text),
                reverse: described('The expression must not match.', boolean),
              }),
            }),
            rewriteTo: described('The new path or URL if the trigger matches.', text),
          }),
        ),
      ),
    }),
  ),
  virtual: omitted(
    'Paths to which a script responds.',
    object({
      ...pathRule,
      responseFunctionName: described('Name of the function that responds.', text),
      functionSourceType: described('file: the source is a path. blob: the source is the script in base64.', text),
      functionSourceUri: described('Path of the script, or the script in base64.', text),
      proxyOnError: described('The upstream responds if the script fails.', boolean),
      useSession: described('The script receives the session of the key and may change its meta data.', boolean),
    }),
  ),
  sizeLimits: omitted(
    'Largest request bodies in bytes.',
    object({ ...pathRule, sizeLimit: described('Bytes.', integer) }),
  ),
  methodTransforms: omitted(
    'Requests whose method is replaced.',
    object({ ...pathRule, toMethod: described('The new method.', text) }),
  ),
  trackEndpoints: omitted('Paths that are recorded although the API does not track.', trackedPathShape),
  doNotTrackEndpoints: omitted('Paths that are not recorded.', trackedPathShape),
  validateJson: omitted(
    'Request bodies that must fit a JSON Schema.',
    object({
      ...pathRule,
      schema: described('JSON Schema, draft 4.', anything),
      schemaB64: described('The same in base64; `schema` wins.', text),
      errorResponseCode: described('Status of a rejection. Default: 422.', integer),
    }),
  ),
  internal: omitted('Paths that only loops inside the gateway reach.', trackedPathShape),
  goPlugin: field(list(anything), { omitZero: true }),
  persistGraphql: described('Requests that become stored GraphQL operations.', list(storedOperation)),
  rateLimit: described(
    'Rates over all callers.',
    list(
      object({
        ...pathRule,
        rate: described('Number of requests.', number),
        per: described('Number of seconds.', number),
      }),
    ),
  ),
})

export const versionShape = readOnlyObject({
  name: described('Name of the version, the same as the name of the entry.', text),
  expires: described('Moment after which the version is rejected: 2006-01-02 15:04 in UTC.', text),
  paths: object({
    ignored: described('Paths that need no credential.', list(text)),
    whiteList: described('Paths that are open; one entry closes all other paths.', list(text)),
    blackList: described('Paths that are rejected.', list(text)),
  }),
  useExtendedPaths: described('Applies `extended_paths` instead of `paths`.', boolean),
  extendedPaths: described('Rules by path. A path is a regular expression that is not anchored.', extendedPathsShape),
  globalHeaders: described('Headers that every request gets.', map(text)),
  globalHeadersRemove: described('Headers that every request loses.', list(text)),
  globalHeadersDisabled: described('Ignores the headers of requests above.', boolean),
  globalResponseHeaders: described('Headers that every response gets.', map(text)),
  globalResponseHeadersRemove: described('Headers that every response loses.', list(text)),
  globalResponseHeadersDisabled: described('Ignores the headers of responses above.', boolean),
  ignoreEndpointCase: described('Paths match in any case.', boolean),
  globalSizeLimit: described('Largest request body in bytes; 0: no limit.', integer),
  globalSizeLimitDisabled: described('Ignores `global_size_limit`.', boolean),
  overrideTarget: described('Target URL of this version.', text),
})

export type VersionDocument = Of<typeof versionShape>
export type ExtendedPaths = Of<typeof extendedPathsShape>
export type PathRule = { readonly disabled: boolean; readonly path: string; readonly method: string }
