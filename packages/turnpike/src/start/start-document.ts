/** `turnpike start openapi.yaml`: what a gateway needs to serve an OpenAPI document without a configuration. */
import { randomBytes } from 'node:crypto'
import { deref } from '@turnpike/core/definition'
import { isJson, type Json, listOf, memberOf, objectOf, textOf } from '@turnpike/core/lib'
import { vendorOfDocument } from '../formats/vendor-word.ts'
import { type ChosenUpstream, chooseUpstream, echoTarget } from '../import/choose-upstream.ts'
import { type ConvertOptions, convertOpenApi } from '../import/convert-openapi.ts'
import { referenceNotes } from '../import/import-notes.ts'
import { readOpenApi } from '../import/read-openapi.ts'
import { sampleRequest } from '../import/sample-request.ts'
import type { Seed } from './seed.ts'

export interface ServedDocument {
  readonly id: string
  /** The definition, with the field names of definition files. */
  readonly definition: Json
  /** The document with its extension. Its text is not kept, because it can have many megabytes. */
  readonly document: Json
  /** Which upstream was chosen, for the user. */
  readonly lines: ChosenUpstream['lines']
  /** The configuration of the gateway, which keeps everything in memory. */
  readonly config: Readonly<Record<string, unknown>>
  /** Commands to try. */
  readonly seed: Seed
}

export interface DocumentOptions {
  readonly target?: string | undefined
  readonly mock?: boolean | undefined
}

export type PreparedDocument =
  | ServedDocument
  | {
      readonly problem: string
      /** The document does not exist, so the command line is wrong. */
      readonly notFound: boolean
    }

/** Paths match as a whole, and other paths do not exist. Rules of definitions match anywhere in a path otherwise. */
const onlyPathsOfDocument = {
  http_server_options: { enable_path_prefix_matching: true, enable_path_suffix_matching: true },
  error_overrides: {
    403: [
      {
        match: { message_pattern: '^Requested endpoint is forbidden$' },
        response: { status_code: 404, message: 'The document has no operation with this path and method' },
      },
    ],
  },
}

type Served = Omit<ConvertOptions, 'source'> & { readonly document?: Json; readonly lines: readonly string[] }

/** A document that has the extension of a gateway is served as the extension says. */
function withItsExtension(vendor: string, { target, mock }: DocumentOptions): Served {
  const lines = [`x-${vendor}-api-gateway of the document says how it is served`]
  return { vendor, target: target ?? (mock === true ? echoTarget : undefined), mock, lines }
}

async function withoutExtension(given: Json, options: DocumentOptions): Promise<Served> {
  const document = withoutIgnoredHeaders(given)
  const { target, mock, lines } = await chooseUpstream(document, options)
  const rules = ['requests that do not match the document are rejected with 422, unknown paths with 404']
  return {
    ...{ document, target, mock, lines: [...lines, ...rules] },
    ...{ auth: 'none', validate: true, allowList: true, listenPath: '/', vendor: 'svc' },
  }
}

/** Allows HEAD where the allow list of a definition allows GET. */
function withHeadAllowed(definition: Json): Json {
  const version = objectOf(memberOf(definition, 'version_data', 'versions', 'Default'))
  const allowed = listOf(memberOf(version, 'extended_paths', 'white_list'))
  if (allowed.length === 0) return definition
  const heads = allowed.map(objectOf).filter(({ method }) => method === 'GET')
  const white_list = [...allowed, ...heads.map((rule) => ({ ...rule, method: 'HEAD' }))]
  const Default = { ...version, extended_paths: { ...objectOf(version['extended_paths']), white_list } }
  return { ...definition, version_data: { ...objectOf(definition['version_data']), versions: { Default } } }
}

/** OpenAPI ignores header parameters with these names (OpenAPI 3.0.4, 4.7.12.1). */
const ignoredHeaders = ['accept', 'content-type', 'authorization']

function withoutIgnoredHeaders(document: Json): Json {
  const isIgnored = (parameter: unknown) => {
    const found = deref(document, parameter)
    return found?.['in'] === 'header' && ignoredHeaders.includes(textOf(found['name']).toLowerCase())
  }
  const filtered = (part: Json): Json =>
    Array.isArray(part['parameters']) && part['parameters'].some(isIgnored)
      ? { ...part, parameters: part['parameters'].filter((parameter) => !isIgnored(parameter)) }
      : part
  const paths = Object.entries(objectOf(document['paths'])).map(([path, item]) => {
    const operations = Object.entries(objectOf(item)).map(([name, part]) => [
      name,
      isJson(part) ? filtered(part) : part,
    ])
    return [path, filtered(Object.fromEntries(operations))]
  })
  return { ...document, paths: Object.fromEntries(paths) }
}

/** Reads and converts the document. Connects once to its servers to choose the upstream. */
export async function prepareDocument(
  source: string,
  options: DocumentOptions,
  cwd: string,
): Promise<PreparedDocument> {
  const read = await readOpenApi(source, cwd)
  if (read.problem !== undefined) return { problem: `${source}: ${read.problem}`, notFound: read.notFound }
  const vendor = vendorOfDocument(read.document)
  const served =
    vendor === undefined ? await withoutExtension(read.document, options) : withItsExtension(vendor, options)
  const { document = read.document, lines, ...converting } = served
  const converted = await convertOpenApi(document, { source, ...converting })
  if (converted.problem !== undefined) return { problem: `${source}: ${converted.problem}`, notFound: false }
  const { id, definition, listenPath } = converted.api
  const { path } = sampleRequest(converted.api.document)
  const start = listenPath.replace(/\/$/, '')
  return {
    id,
    definition: vendor === undefined ? withHeadAllowed(definition) : definition,
    document: converted.api.document,
    lines: [...lines, ...referenceNotes(read.unread).map(({ path, message }) => `${path}: ${message}`)],
    config: {
      listen_address: '127.0.0.1',
      // Nobody needs the management API of a gateway without files; SVC_GW_SECRET sets a known key.
      secret: randomBytes(32).toString('base64url'),
      hash_keys: true,
      hash_key_function: 'sha256',
      storage: { type: 'memory' },
      echo: { enabled: true, listen_port: 0 },
      ...(vendor === undefined ? onlyPathsOfDocument : { vendor }),
    },
    seed: {
      organisations: null,
      keys: null,
      tour: [
        { says: 'an operation of the document', command: `curl -i '{{url}}${(start + path).replaceAll("'", '%27')}'` },
      ],
    },
  }
}
