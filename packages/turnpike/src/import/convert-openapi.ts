/** Converts an OpenAPI document to the two files of an API: the definition and its sidecar document. */
import {
  apiIdRule,
  classicShape,
  extensionName,
  extensionOf,
  isApiId,
  operationsOf,
  toClassic,
  validateDefinition,
  validateDocument,
  withExtension,
} from '@turnpike/core/definition'
import { type Json, listOf, memberOf, objectOf, textOf } from '@turnpike/core/lib'
import { makeImport } from '@turnpike/mgmt-api'
import { isUrl } from './read-openapi.ts'
import { withKeySecurity } from './with-key-security.ts'
import { withMocks } from './with-mocks.ts'

/** How requests authenticate: by the `security` of the document, by a key, or not at all. */
export type ImportAuth = 'document' | 'key' | 'none'

export interface ConvertOptions {
  /** Default: made from the title. */
  readonly id?: string | undefined
  /** Default: the title. */
  readonly name?: string | undefined
  /** Default: `/<id>/`. */
  readonly listenPath?: string | undefined
  /** URL of the upstream. Default: the first entry of `servers`. */
  readonly target?: string | undefined
  readonly orgId?: string | undefined
  /** Default: `document` if the document has `security`, otherwise `none`. */
  readonly auth?: ImportAuth | undefined
  /** Rejects requests that do not match the document. */
  readonly validate?: boolean | undefined
  /** Responds with the examples of the document. */
  readonly mock?: boolean | undefined
  /** Rejects paths that the document does not contain. */
  readonly allowList?: boolean | undefined
  /** URL or file of the document; relative servers start at a URL. */
  readonly source: string
  readonly vendor: string
}

export interface ConvertedApi {
  readonly id: string
  readonly name: string
  readonly listenPath: string
  readonly target: string
  readonly auth: ImportAuth
  /** The definition, with the field names of definition files. */
  readonly definition: Json
  /** The document with its extension. */
  readonly document: Json
}

export type Converted = { readonly api: ConvertedApi; readonly problem?: undefined } | { readonly problem: string }

export async function convertOpenApi(given: Json, options: ConvertOptions): Promise<Converted> {
  const { vendor } = options
  const hasExtension = extensionOf(given, vendor) !== undefined
  const title = textOf(memberOf(given, 'info', 'title'))
  const extensionId = textOf(memberOf(extensionOf(given, vendor), 'info', 'id'))
  const id = options.id ?? (extensionId === '' ? idOf(title) : extensionId)
  if (!isApiId(id)) return { problem: `the id "${id}" must be ${apiIdRule}` }
  const auth = options.auth ?? (listOf(given['security']).length > 0 ? 'document' : 'none')
  const secured = auth === 'key' ? withKeySecurity(given) : given
  const made = hasExtension
    ? await checkOwn(secured, vendor)
    : await makeImport(withAbsoluteServer(secured, options.source), parametersOf(id, auth, options), vendor)
  if (made.problem !== undefined) return { problem: withAdvice(made.problem) }
  const extension = withSettings(objectOf(extensionOf(made.value, vendor)), id, options)
  const document = withExtension(made.value, vendor, options.mock ? withMocks(made.value, extension) : extension)
  const classic = toClassic(document, objectOf(extensionOf(document, vendor)))
  const problem = classic.problem ?? validateDefinition(classic.value)
  if (problem !== undefined || classic.problem !== undefined) return { problem: problem ?? '' }
  const { name, proxy } = classic.value
  const definition = objectOf(classicShape.writeSparse(classic.value))
  const { listenPath, targetUrl: target } = proxy
  return { api: { id, name, listenPath, target, auth, definition, document } }
}

/** A document that already has the gateway's extension keeps it. */
async function checkOwn(document: Json, vendor: string) {
  const problem = await validateDocument(document, vendor)
  return problem === undefined ? { value: document } : { problem }
}

function parametersOf(id: string, auth: ImportAuth, options: ConvertOptions): URLSearchParams {
  const { listenPath = `/${id}/`, target, validate, allowList } = options
  return new URLSearchParams({
    apiID: id,
    listenPath,
    ...(target === undefined ? {} : { upstreamURL: target }),
    ...(auth === 'none' ? {} : { authentication: 'true' }),
    ...(validate === true ? { validateRequest: 'true' } : {}),
    ...(allowList === true ? { allowList: 'true' } : {}),
  })
}

/** Applies the options that an import has no parameter for, and all of them to an extension that existed before. */
function withSettings(extension: Json, id: string, { name, orgId, listenPath, target }: ConvertOptions): Json {
  const server = objectOf(extension['server'])
  return {
    ...extension,
    info: {
      ...objectOf(extension['info']),
      id,
      ...(name === undefined ? {} : { name }),
      ...(orgId === undefined ? {} : { orgId }),
    },
    ...(listenPath === undefined
      ? {}
      : { server: { ...server, listenPath: { strip: true, ...objectOf(server['listenPath']), value: listenPath } } }),
    ...(target === undefined ? {} : { upstream: { ...objectOf(extension['upstream']), url: target } }),
  }
}

/** A relative server starts at the URL of the document (OpenAPI 3.1, 4.8.5). */
function withAbsoluteServer(document: Json, source: string): Json {
  const [first, ...others] = listOf(document['servers'])
  const url = textOf(memberOf(first, 'url'))
  if (!isUrl(source) || !url.startsWith('/')) return document
  return { ...document, servers: [{ ...objectOf(first), url: new URL(url, source).href }, ...others] }
}

/** Adds what a user of the command can do to messages of the management API. */
function withAdvice(problem: string): string {
  if (/‘servers’/.test(problem)) return 'names no upstream: its first server is missing or relative; use --target URL'
  if (/upstream URL is not valid/.test(problem)) return '--target must be an absolute URL such as https://example.com'
  if (/‘security’/.test(problem)) return 'has no security, so --auth document is not possible; use --auth key or none'
  return problem
}

/** Makes an id from a title: `Pet Store (v2)` becomes `pet-store-v2`. */
export function idOf(title: string): string {
  const id = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|(?<!-)-+$/g, '')
    .replace(/(?<!-oas|-mcp)(?:-oas|-mcp)+$/, '')
  return id === '' ? 'api' : id.slice(0, 60)
}

/** The number of operations of a document. */
export function operationCount(document: Json): number {
  return operationsOf(document).length
}

/** Whether the document has the extension of the gateway, under its vendor word. */
export function hasOwnExtension(document: Json, vendor: string): boolean {
  return Object.hasOwn(document, extensionName(vendor))
}
