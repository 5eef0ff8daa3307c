/** Builds extensions from the parameters of an import or a patch. Source: docs/reference/openapi-documents.md#import, docs/reference/openapi-documents.md#patch. */
import { operationsOf, requiredSchemes } from '@turnpike/core/definition'
import { isJson, type Json, listOf, memberOf, objectOf, textOf } from '@turnpike/core/lib'
import { hasExample } from '@turnpike/core/pipeline'

export const importParameters = [
  'upstreamURL',
  'listenPath',
  'customDomain',
  'apiID',
  'authentication',
  'securityProcessingMode',
  'allowList',
  'validateRequest',
  'mockResponse',
] as const

export type Extended = { readonly value: Json; readonly problem: undefined } | { readonly problem: string }

/** Applies the parameters to the extension; with `isNew`, fills in defaults. */
export function extendByParameters(document: Json, given: Json, query: URLSearchParams, isNew: boolean): Extended {
  const target = query.get('upstreamURL') ?? ''
  let url = target === '' ? undefined : target
  if (url !== undefined && !isAbsolute(url)) return { problem: badTarget }
  if (url === undefined && isNew) {
    const first = firstServer(document)
    if (first.problem !== undefined) return first
    url = first.url
  }
  const listenPath = query.get('listenPath') || (isNew ? '/' : undefined)
  const domain = query.get('customDomain') ?? ''
  const withAuthentication = query.get('authentication') === 'true'
  if (withAuthentication && listOf(document['security']).length === 0) return { problem: noSecurity }
  const info = objectOf(given['info'])
  const server = objectOf(given['server'])
  const middleware = objectOf(given['middleware'])
  const operations = operationParts(document, objectOf(middleware['operations']), query)
  const fresh = isNew ? { global: { contextVariables: { enabled: true }, trafficLogs: { enabled: true } } } : {}
  return {
    problem: undefined,
    value: {
      ...given,
      info: {
        ...info,
        ...(isNew
          ? { id: query.get('apiID') ?? '', name: textOf(memberOf(document, 'info', 'title')), state: { active: true } }
          : {}),
      },
      upstream: url === undefined ? given['upstream'] : { ...objectOf(given['upstream']), url },
      server: {
        ...server,
        ...(listenPath === undefined
          ? {}
          : { listenPath: { strip: true, ...objectOf(server['listenPath']), value: listenPath } }),
        ...(domain === '' ? {} : { customDomain: { enabled: true, name: domain } }),
        ...(withAuthentication
          ? { authentication: authenticationOf(document, query.get('securityProcessingMode') ?? '') }
          : {}),
      },
      middleware: {
        ...middleware,
        ...fresh,
        ...(Object.keys(operations).length === 0 ? {} : { operations }),
      },
    },
  }
}

/** Drops rules of operations that the document does not contain. */
export function withoutLostOperations(document: Json, extension: Json): Json {
  const middleware = extension['middleware']
  const operations = memberOf(middleware, 'operations')
  if (!isJson(operations)) return extension
  const known = new Set(operationsOf(document).map(({ id }) => id))
  const kept = Object.fromEntries(Object.entries(operations).filter(([id]) => known.has(id)))
  return { ...extension, middleware: { ...objectOf(middleware), operations: kept } }
}

const badTarget =
  'The manually configured upstream URL is not valid. The URL must be absolute and properly formatted (e.g. https://example.com). Please check the URL format and try again.'
const noServers =
  'The ‘servers’ object is empty in your OAS. You can either add a ‘servers’ section to your OpenAPI description or provide a Custom Upstream URL in the manual configuration options below.'
const noSecurity =
  'The ‘security’ object is empty in your OAS. When enabling authentication, your OpenAPI description must include a ‘security’ object that defines the authentication schemes. You can either add a ‘security’ object or disable authentication in the API settings.'

function firstServer(document: Json): { readonly url: string; readonly problem: undefined } | { problem: string } {
  const server = listOf(document['servers'])[0]
  if (server === undefined) return { problem: noServers }
  const variables = memberOf(server, 'variables')
  const url = textOf(memberOf(server, 'url')).replaceAll(/\{([^{}]*)\}/g, (whole, name: string) => {
    const byDefault = memberOf(variables, name, 'default')
    return byDefault === undefined ? whole : String(byDefault)
  })
  if (isAbsolute(url)) return { url, problem: undefined }
  return {
    problem: `The first entry in the ‘servers’ object of your OAS is not valid. The URL must be absolute and properly formatted (e.g. https://example.com). Please update "${url}" to be a valid URL and try again.`,
  }
}

function isAbsolute(url: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/]/i.test(url) && URL.canParse(url)
}

/** Every required scheme, with its place in requests. */
function authenticationOf(document: Json, mode: string): Json {
  const processing = mode === '' ? {} : { securityProcessingMode: mode }
  const names = requiredSchemes(document, processing)
  const schemes = names.map((name): [string, Json] => {
    const scheme = memberOf(document, 'components', 'securitySchemes', name)
    const isKey = memberOf(scheme, 'type') === 'apiKey'
    const place = isKey ? textOf(memberOf(scheme, 'in')) : 'header'
    const at = isKey ? textOf(memberOf(scheme, 'name')) : 'Authorization'
    return [name, { enabled: true, [place]: { enabled: true, name: at } }]
  })
  return { enabled: true, ...processing, securitySchemes: Object.fromEntries(schemes) }
}

function operationParts(document: Json, given: Json, query: URLSearchParams): Json {
  const parts: Record<string, unknown> = { ...given }
  for (const { id, operation, parameters } of operationsOf(document)) {
    if (id === '') continue
    const more: Record<string, unknown> = {}
    const parameter = (name: string) => query.get(name)
    const isChecked = parameters.length > 0 || operation['requestBody'] !== undefined
    if (parameter('allowList') !== null) more['allow'] = { enabled: parameter('allowList') === 'true' }
    if (parameter('validateRequest') !== null && isChecked) {
      more['validateRequest'] = { enabled: parameter('validateRequest') === 'true', errorResponseCode: 422 }
    }
    if (parameter('mockResponse') !== null && hasExample(document, operation)) {
      const enabled = parameter('mockResponse') === 'true'
      more['mockResponse'] = { enabled, fromOASExamples: { enabled } }
    }
    if (Object.keys(more).length > 0) parts[id] = { ...objectOf(parts[id]), ...more }
  }
  return parts
}
