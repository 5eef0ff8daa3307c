/**
 * Parses the text of a classic definition into a frozen `ApiDefinition`, or into a problem with its place in the text.
 * Only a problem costs a second pass over the text, which finds that place.
 */

import { anyPort, type PortRules } from '../http/listen-address.ts'
import { isJson, type Json, memberOf, objectOf, textOf } from '../lib/json.ts'
import { collectingLookup, type SecretLookup } from '../lib/secret-lookup.ts'
import { printJsonPath } from '../lib/shape/json-path.ts'
import { findSyntaxProblem, type Location, locateJson, locationAt } from '../lib/shape/locate-json.ts'
import { readShape } from '../lib/shape/shape.ts'
import type { ApiDefinition } from './api-definition.ts'
import { type ClassicDefinition, classicShape } from './classic.ts'
import type { DefinitionProblem, ServingProblem } from './definition-problem.ts'
import type { SourceDocument } from './definition-source.ts'
import { foreignDocumentOf } from './foreign-document.ts'
import { findPortProblem } from './listen-port.ts'
import { readMcpRules } from './mcp/document-rules.ts'
import { normaliseDefinition, type Origin } from './normalise.ts'
import { extensionName, extensionOf, otherExtensionOf } from './openapi/extension.ts'
import { unknownInDocument } from './openapi/openapi-support.ts'
import { classicFields } from './openapi/to-classic/to-classic.ts'
import { readClassic } from './read-classic.ts'
import { mayNameSecrets, resolveSecrets } from './resolve-secrets.ts'
import { findServingProblem } from './serving-problem.ts'

export interface ParseOptions {
  /** Values of `env://` and `secrets://` references. */
  readonly secret: SecretLookup
  /** The vendor word, which names the gateway's extension in the sidecar document. Default: `svc`. */
  readonly vendor?: string
  /** The sidecar document; required for a definition that was derived from one. */
  readonly sidecar?: SourceDocument | undefined
  /** Path of the file, for commands in messages. Default: the source, if it is a path. */
  readonly path?: string | undefined
  /** TCP ports that the definition may use. Default: all. */
  readonly ports?: PortRules | undefined
}

/** Exactly one of `definition` and `problem` is set. */
export type ParsedDefinition =
  | {
      readonly definition: ApiDefinition
      readonly problem: undefined
      /** Whether the text refers to secrets, so that a reload must parse it again even if it is unchanged. */
      readonly usesSecrets: boolean
    }
  | { readonly definition: undefined; readonly problem: DefinitionProblem; readonly usesSecrets: boolean }

/**
 * Parses one definition file. `hash` identifies the text; if the text refers to secrets, the hash of the definition
 * covers their values too.
 */
export function parseDefinition(text: string, source: string, hash: string, options: ParseOptions): ParsedDefinition {
  const parsed = parseJson(text)
  if (parsed.problem !== undefined) return { definition: undefined, problem: parsed.problem, usesSecrets: false }
  const foreign = foreignDocumentOf(parsed.value)
  if (foreign !== undefined) return atStart(`${foreign.reason}; convert it with: ${importOf(options.path ?? source)}`)
  if (isOpenApiDocument(parsed.value)) return parseDocument(parsed.value, text, source, hash, options)
  const hidden = new Set<string>()
  const secret = collectingLookup(options.secret, hidden)
  const { resolved, values: secrets } = mayNameSecrets(text)
    ? resolveSecrets(parsed.value, secret)
    : plain(parsed.value)
  let usesSecrets = secrets.length > 0
  const document = readClassic(resolved)
  if (document.problem !== undefined) {
    return { definition: undefined, problem: withLocation(text, document.problem), usesSecrets }
  }
  const { ports = anyPort } = options
  const problem = findServingProblem(document.value) ?? findPortProblem(document.value, ports)
  if (problem !== undefined) return { definition: undefined, problem: withLocation(text, problem), usesSecrets }
  const sidecar = readSidecar(document.value, source, { ...options, secret })
  if (sidecar.problem !== undefined) {
    return { definition: undefined, problem: { message: sidecar.problem, path: [], line: 1, column: 1 }, usesSecrets }
  }
  const values = [...secrets, ...(sidecar.value?.secretValues ?? [])]
  usesSecrets = values.length > 0
  const unknown = [...document.unknown, ...unknownInDocument(sidecar.value?.oas ?? {}, options.vendor ?? 'svc')]
  const origin: Origin = { source, hash, ports, unknownFields: unknown, ...sidecar.value }
  if (!usesSecrets) return { definition: normaliseDefinition(document.value, origin), problem: undefined, usesSecrets }
  const definition = normaliseDefinition(document.value, {
    ...origin,
    hash: `${hash}+${fingerprint(values)}`,
    secrets: {
      document: readShape(classicShape, parsed.value).value,
      oas: sidecar.value?.oasWithReferences,
      values: [...hidden],
    },
  })
  return { definition, problem: undefined, usesSecrets }
}

/** A document without references. */
function plain(document: unknown): ReturnType<typeof resolveSecrets> {
  return { resolved: document, values: [] }
}

function atStart(message: string): ParsedDefinition {
  return { definition: undefined, problem: { message, path: [], line: 1, column: 1 }, usesSecrets: false }
}

/**
 * An OpenAPI document with the gateway's extension needs no definition file: the definition is derived from it. A document
 * without the extension cannot be served as it is.
 */
function parseDocument(
  document: Json,
  text: string,
  source: string,
  hash: string,
  options: ParseOptions,
): ParsedDefinition {
  const { vendor = 'svc', path = source } = options
  const extension = extensionOf(document, vendor)
  if (extension === undefined) {
    const other = otherExtensionOf(document, vendor)
    if (other === undefined) {
      return atStart(`is an OpenAPI document, not an API definition; convert it with: ${importOf(path)}`)
    }
    const word = `the vendor word is "${vendor}"`
    return atStart(
      `is an OpenAPI document with the extension ${extensionName(other)}, but ${word}; set vendor to "${other}"`,
    )
  }
  const id = textOf(memberOf(extension, 'info', 'id')) || idOfFile(source)
  const derived = JSON.stringify({ ...classicFields(document, extension), api_id: id })
  const sidecar = { name: source, hash: '', text, problem: undefined }
  const parsed = parseDefinition(derived, source, hash, { ...options, sidecar })
  if (parsed.problem === undefined) return parsed
  // Positions in the derived text mean nothing to the author of the document.
  const { path: at, message } = parsed.problem
  return atStart(`${at.length === 0 ? '' : `${printJsonPath(at)} `}${message}`)
}

function idOfFile(source: string): string {
  return (source.split('/').at(-1) ?? source).replace(/\.(json|ya?ml)$/, '')
}

interface Sidecar extends Pick<Origin, 'oas' | 'extension' | 'mcpRules'> {
  /** Values of the references in the document; empty for those without a value. */
  readonly secretValues: readonly string[]
  readonly oasWithReferences: Json
}

/**
 * The sidecar document of a definition that was derived from one. Without it the definition is not served, because
 * checks that only the document requires, such as token claims, would be skipped.
 */
function readSidecar(
  { isOas, applicationProtocol }: ClassicDefinition,
  source: string,
  { sidecar, secret, vendor = 'svc' }: ParseOptions,
): { value: Sidecar | undefined; problem: undefined } | { problem: string } {
  const isMcp = applicationProtocol === 'mcp'
  if (!isOas && (!isMcp || sidecar === undefined)) return { value: undefined, problem: undefined }
  if (sidecar === undefined) {
    const missing = source.replace(/\.json$/, isMcp ? '-mcp.json' : '-oas.json')
    return { problem: `is_oas is true, but ${missing} is missing in the same folder` }
  }
  const read = readSource(sidecar)
  if (read.problem !== undefined) return { problem: `${sidecar.name}${read.problem}` }
  if (!isJson(read.value)) return { problem: `${sidecar.name} must be an object` }
  const mayResolve = sidecar.text === undefined || mayNameSecrets(sidecar.text)
  const { resolved, values: secretValues } = mayResolve ? resolveSecrets(read.value, secret) : plain(read.value)
  const oas = objectOf(resolved)
  const extension = extensionOf(oas, vendor)
  if (extension === undefined) return { problem: `${sidecar.name} must contain the object ${extensionName(vendor)}` }
  const value = { oas, extension, secretValues, oasWithReferences: read.value }
  if (!isMcp) return { value, problem: undefined }
  const rules = readMcpRules(oas, extension)
  if (rules.problem !== undefined) return { problem: `${sidecar.name}: ${rules.problem}` }
  return { value: { ...value, mcpRules: rules.value }, problem: undefined }
}

/** Returns the value of a document, or what follows its name in a message. */
function readSource({
  text,
  value,
  problem,
}: SourceDocument): { value: unknown; problem: undefined } | { problem: string } {
  if (value !== undefined) return { value, problem: undefined }
  if (text === undefined) return { problem: ` ${problem ?? 'cannot be read'}` }
  const parsed = parseJson(text)
  if (parsed.problem === undefined) return parsed
  const { line, column, message } = parsed.problem
  return { problem: `:${line}:${column}: ${message}` }
}

/** Whether the file is an OpenAPI document without a definition, which no request could reach. */
export function isOpenApiDocument(value: unknown): value is Json {
  if (!isJson(value) || 'proxy' in value || 'api_id' in value) return false
  return typeof value['openapi'] === 'string' || typeof value['swagger'] === 'string'
}

/** The command that converts a file. A name without a folder is not a path to copy. */
function importOf(source: string): string {
  return `turnpike import ${source.includes('/') ? source : 'FILE'}`
}

/** The JSON value of a text. */
export function parseJson(text: string): { value: unknown; problem: undefined } | { problem: DefinitionProblem } {
  const json = withoutByteOrderMark(text)
  try {
    return { value: JSON.parse(json), problem: undefined }
  } catch {
    const { message, offset } = findSyntaxProblem(json) ?? { offset: 0, message: 'is not JSON' }
    return { problem: { message, path: [], ...locationAt(json, offset) } }
  }
}

export type FirstJson =
  /** `rest`: where a text behind the value begins, which is ignored. */
  { value: unknown; rest: Location | undefined; problem: undefined } | { problem: DefinitionProblem }

/**
 * The first JSON value of a text. Owners keep notes behind the value of the configuration and of policies, which the
 * original gateway ignores.
 */
export function parseFirstJson(text: string): FirstJson {
  const parsed = parseJson(text)
  if (parsed.problem === undefined) return { ...parsed, rest: undefined }
  const json = withoutByteOrderMark(text)
  const { offset = 0 } = findSyntaxProblem(json) ?? {}
  const first = json.slice(0, offset)
  if (first.trim() === '' || findSyntaxProblem(first) !== undefined) return parsed
  return { value: JSON.parse(first), rest: locationAt(json, offset), problem: undefined }
}

/** Some editors write a byte order mark, which is not JSON. */
function withoutByteOrderMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}

function withLocation(text: string, { message, path }: ServingProblem): DefinitionProblem {
  return { message, path, ...locateJson(text, path) }
}

/** A 32-bit FNV-1a hash of secret values, which identifies a change without revealing the values. */
function fingerprint(values: readonly string[]): string {
  let hash = 0x811c9dc5
  for (const value of values) {
    for (let i = 0; i < value.length; i++) hash = Math.imul(hash ^ value.charCodeAt(i), 0x01000193)
    hash = Math.imul(hash ^ 0xffff, 0x01000193)
  }
  return (hash >>> 0).toString(16)
}
