/**
 * From the text of a classic definition to a frozen `ApiDefinition`, or to the reason why not. On the good path this
 * is one `JSON.parse` and one walk; places in the text are searched only when there is something to tell.
 */

import { anyPort, type PortRules } from '../http/listening.ts'
import { isJson, type Json } from '../lib/json.ts'
import type { SecretLookup } from '../lib/secret-lookup.ts'
import { findSyntaxProblem, type Location, locateJson, locationAt } from '../lib/shape/locate-json.ts'
import { type JsonPath, readShape } from '../lib/shape/shape.ts'
import type { ApiDefinition } from './api-definition.ts'
import { type ClassicDefinition, classicShape } from './classic.ts'
import type { DefinitionProblem } from './definition-problem.ts'
import type { SourceDocument } from './definition-source.ts'
import { findPortProblem } from './listen-port.ts'
import { normaliseDefinition } from './normalise.ts'
import { mayNameSecrets, resolveSecrets } from './resolve-secrets.ts'
import { findServingProblem } from './serving-problem.ts'

export interface ParseOptions {
  /** What `env://` and `secrets://` texts stand for. */
  readonly secret: SecretLookup
  /** The OpenAPI document beside the file; a definition that is the classic form of one cannot do without. */
  readonly sidecar?: SourceDocument | undefined
  /** Which ports it may listen on. Default: any. */
  readonly ports?: PortRules | undefined
}

/** Exactly one of `definition` and `problem` is there. */
export type ParsedDefinition =
  | {
      readonly definition: ApiDefinition
      readonly problem: undefined
      /** The meaning depends on secrets, so that an unchanged text must be parsed again at a reload. */
      readonly usesSecrets: boolean
    }
  | { readonly definition: undefined; readonly problem: DefinitionProblem; readonly usesSecrets: boolean }

/**
 * Reads one definition file. `hash` tells texts apart; where secrets are used, the hash of the definition tells their
 * values apart too.
 */
export function parseDefinition(text: string, source: string, hash: string, options: ParseOptions): ParsedDefinition {
  const parsed = parseJson(text)
  if (parsed.problem !== undefined) return { definition: undefined, problem: parsed.problem, usesSecrets: false }
  const secrets = mayNameSecrets(text) ? resolveSecrets(parsed.value, options.secret) : []
  const usesSecrets = secrets.length > 0
  const document = readClassic(parsed.value)
  if (document.problem !== undefined) {
    return { definition: undefined, problem: placed(text, document.problem), usesSecrets }
  }
  const { ports = anyPort } = options
  const problem = findServingProblem(document.value) ?? findPortProblem(document.value, ports)
  if (problem !== undefined) return { definition: undefined, problem: placed(text, problem), usesSecrets }
  const beside = readSidecar(document.value, source, options)
  if (beside.problem !== undefined) {
    return { definition: undefined, problem: { message: beside.problem, path: [], line: 1, column: 1 }, usesSecrets }
  }
  const fullHash = usesSecrets ? `${hash}+${fingerprint(secrets)}` : hash
  return {
    definition: normaliseDefinition(document.value, { source, hash: fullHash, oas: beside.value, ports }),
    problem: undefined,
    usesSecrets,
  }
}

/**
 * The OpenAPI document of a definition that has one. Without it the definition is not served: what only the document
 * asks for, such as claims of tokens, would no longer be asked for.
 */
function readSidecar(
  { isOas, applicationProtocol }: ClassicDefinition,
  source: string,
  { sidecar, secret }: ParseOptions,
): { value: Json | undefined; problem: undefined } | { problem: string } {
  if (!isOas) return { value: undefined, problem: undefined }
  if (sidecar === undefined) {
    const missing = source.replace(/\.json$/, applicationProtocol === 'mcp' ? '-mcp.json' : '-oas.json')
    return { problem: `is_oas is true, but ${missing} does not stand beside it` }
  }
  if (sidecar.text === undefined) return { problem: `${sidecar.name} ${sidecar.problem ?? 'cannot be read'}` }
  const parsed = parseJson(sidecar.text)
  if (parsed.problem !== undefined) {
    const { line, column, message } = parsed.problem
    return { problem: `${sidecar.name}:${line}:${column}: ${message}` }
  }
  if (!isJson(parsed.value)) return { problem: `${sidecar.name} must be an object` }
  if (mayNameSecrets(sidecar.text)) resolveSecrets(parsed.value, secret)
  return { value: parsed.value, problem: undefined }
}

/** The JSON value of a text. */
export function parseJson(text: string): { value: unknown; problem: undefined } | { problem: DefinitionProblem } {
  // Some editors begin files with a byte order mark, which is no JSON.
  const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  try {
    return { value: JSON.parse(json), problem: undefined }
  } catch {
    const fault = findSyntaxProblem(json) ?? { offset: 0, message: 'is not JSON' }
    return { problem: { message: fault.message, path: [], ...locationAt(json, fault.offset) } }
  }
}

/** The document in a JSON value, as the management API reads it: unknown fields are passed over, wrong types are not. */
export function readClassic(
  value: unknown,
):
  | { value: ClassicDefinition; problem: undefined }
  | { problem: { readonly path: JsonPath; readonly message: string } } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { problem: { path: [], message: 'must be an object' } }
  }
  const read = readShape(classicShape, value)
  const wrong = read.readable ? undefined : read.problems.find((problem) => problem.kind === 'type')
  return wrong === undefined ? { value: read.value, problem: undefined } : { problem: wrong }
}

function placed(text: string, problem: { readonly path: JsonPath; readonly message: string }): DefinitionProblem {
  const { line, column }: Location = locateJson(text, problem.path)
  return { message: problem.message, path: problem.path, line, column }
}

/** Tells sets of secret values apart without giving them away: 32 bits of FNV-1a. */
function fingerprint(values: readonly string[]): string {
  let hash = 0x811c9dc5
  for (const value of values) {
    for (let i = 0; i < value.length; i++) hash = Math.imul(hash ^ value.charCodeAt(i), 0x01000193)
    hash = Math.imul(hash ^ 0xffff, 0x01000193)
  }
  return (hash >>> 0).toString(16)
}
