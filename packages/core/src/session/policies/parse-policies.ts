/**
 * Reads policies from one file `{ID: policy}` or from a folder with one policy per file.
 * If a file is invalid, its last good policies stay in force and the result lists the problem.
 * Source: docs/reference/policies.md#policy-sources, docs/differences.md.
 */

import type { Unsupported } from '../../definition/api-definition.ts'
import type { PolicySource, SourceDocument } from '../../definition/definition-source.ts'
import { parseFirstJson } from '../../definition/parse-definition.ts'
import { unsupportedInPolicies } from '../../definition/support-status/session-support.ts'
import { strictProblemOf } from '../../definition/support-status/strict-problem.ts'
import { effectOf, findUnsupported, unknownFields } from '../../definition/support-status/support.ts'
import { isJson } from '../../lib/json.ts'
import { printJsonPath } from '../../lib/shape/json-path.ts'
import { locateJson } from '../../lib/shape/locate-json.ts'
import { type JsonPath, readShape, type Problem as ShapeProblem } from '../../lib/shape/shape.ts'
import { type Policy, policyShape } from './policy.ts'
import { makePolicyBook, type PolicyBook } from './policy-book.ts'
import { readUsablePolicy } from './usable-policy.ts'

export interface PolicyProblem {
  /** Name of the file, or of file and policy, for the operator. */
  readonly source: string
  readonly message: string
  /** Counted from 1; absent if the file could not be read. */
  readonly line?: number
  readonly column?: number
  /** True if the previous policies of this source are still in force. */
  readonly keptOld: boolean
}

/** A field of a policy that is only stored and returned. */
export interface StoredField {
  /** Name of the file, or of file and policy. */
  readonly source: string
  /** Path of the field in the policy. */
  readonly field: string
  readonly instead: string
}

export interface PolicyReading {
  readonly book: PolicyBook
  readonly problems: readonly PolicyProblem[]
  /** Fields without effect that would have one in the original gateway, and unknown fields, each with its source and path. */
  readonly warnings: readonly string[]
  /** Fields that no gateway acts on. */
  readonly stored: readonly StoredField[]
  /** Policies by source. Pass it to the next call of `parsePolicies`. */
  readonly bySource: ReadonlyMap<string, readonly Policy[]>
}

/**
 * Reads all policies. `before` is the previous result; its policies replace those of invalid files. With `strict`, a
 * policy with an unknown field, or with one that has no effect, is invalid.
 */
export function parsePolicies(
  source: PolicySource,
  before?: PolicyReading,
  { strict = false }: { readonly strict?: boolean | undefined } = {},
): PolicyReading {
  const reading: Draft = {
    ...{ bySource: new Map(), problems: [], warnings: [], stored: [], strict },
    before: before?.bySource ?? new Map(),
  }
  if (source.kind === 'map') readMapFile(reading, source.document)
  if (source.kind === 'folder') readFolder(reading, source.documents, source.problem)
  return {
    book: makePolicyBook([...reading.bySource.values()].flat()),
    problems: reading.problems,
    warnings: reading.warnings,
    stored: reading.stored,
    bySource: reading.bySource,
  }
}

interface Draft {
  readonly bySource: Map<string, readonly Policy[]>
  readonly problems: PolicyProblem[]
  readonly warnings: string[]
  readonly stored: StoredField[]
  readonly strict: boolean
  readonly before: ReadonlyMap<string, readonly Policy[]>
}

/** Why a document or a policy cannot be used, with its position if the document could be read. */
interface Problem extends Pick<PolicyProblem, 'line' | 'column'> {
  readonly problem: string
}

function keep(draft: Draft, source: string, { problem: message, ...at }: Problem): void {
  const old = draft.before.get(source)
  draft.problems.push({ source, message, ...at, keptOld: old !== undefined })
  if (old !== undefined) draft.bySource.set(source, old)
}

function readMapFile(draft: Draft, document: SourceDocument): void {
  const parsed = parseObject(document, draft)
  if ('problem' in parsed) {
    // Each entry is its own source, so that one invalid entry does not affect the others.
    const entries = [...draft.before].filter(([source]) => source.startsWith(`${document.name} `))
    for (const [source, policies] of entries) draft.bySource.set(source, policies)
    const { problem: message, ...at } = parsed
    draft.problems.push({ source: document.name, message, ...at, keptOld: entries.length > 0 })
    return
  }
  for (const id of Object.keys(parsed.value)) {
    // `$schema` is for editors.
    if (id === '' || id === '$schema') continue
    const source = `${document.name} "${id}"`
    const read = readOrUse(parsed.value[id], source, draft)
    if ('problem' in read) keep(draft, source, located(read, document, [id]))
    else accept(draft, source, { ...read, policy: { ...read.policy, id } })
  }
}

function readFolder(draft: Draft, documents: readonly SourceDocument[], problem: string | undefined): void {
  if (problem !== undefined) {
    for (const [source, policies] of draft.before) draft.bySource.set(source, policies)
    draft.problems.push({ source: 'policies', message: problem, keptOld: draft.before.size > 0 })
    return
  }
  for (const document of documents) {
    const parsed = parseObject(document, draft)
    const read = 'problem' in parsed ? parsed : readOrUse(parsed.value, document.name, draft)
    if ('problem' in read) keep(draft, document.name, 'path' in read ? located(read, document, []) : read)
    else accept(draft, document.name, read)
  }
}

function parseObject(document: SourceDocument, draft: Draft): { value: Record<string, unknown> } | Problem {
  if (document.text === undefined) return { problem: document.problem ?? 'cannot be read' }
  const parsed = parseFirstJson(document.text)
  if (parsed.problem !== undefined) {
    const { message: problem, line, column } = parsed.problem
    return { problem, line, column }
  }
  const { value, rest } = parsed
  if (rest !== undefined) {
    const where = `${document.name}:${rest.line}:${rest.column}`
    draft.warnings.push(`${where}: the text behind the JSON value is ignored; remove it`)
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return { value: value as Record<string, unknown> }
  }
  return { problem: 'must be a JSON object', line: 1, column: 1 }
}

interface ReadablePolicy {
  readonly policy: Policy
  /** Fields that have no effect. */
  readonly ineffective: readonly Unsupported[]
  /** What is wrong with fields of a wrong type, and how they count. */
  readonly wrong?: readonly string[]
}

interface UnreadablePolicy {
  readonly problem: string
  /** Path of the wrong field inside the policy. */
  readonly path: JsonPath
}

/** Adds the position of the wrong field. `at`: path of the policy inside the document. */
function located({ problem, path }: UnreadablePolicy, { text = '' }: SourceDocument, at: JsonPath): Problem {
  return { problem, ...locateJson(text, [...at, ...path]) }
}

/** Parses one policy. The problem names the first field with a wrong type. */
export function readPolicy(value: unknown): ReadablePolicy | UnreadablePolicy {
  const { value: policy, problems } = readShape(policyShape, value)
  const wrong = problems.find((problem) => problem.kind === 'type')
  if (wrong !== undefined) return wrongField(wrong)
  return { policy, ineffective: [...unknownFields(problems), ...findUnsupported(unsupportedInPolicies, policy)] }
}

function wrongField({ path, message }: ShapeProblem): UnreadablePolicy {
  return { problem: `${path.join('.')} ${message}`.trim(), path }
}

/**
 * Like `readAllowed`, but a policy without a last good version may have fields of a wrong type that open nothing. With
 * `strict` it may not.
 */
function readOrUse(value: unknown, source: string, draft: Draft): ReadablePolicy | UnreadablePolicy {
  const read = readAllowed(value, draft)
  if (!('problem' in read) || draft.strict || draft.before.has(source) || !isJson(value)) return read
  const usable = readUsablePolicy(value)
  if ('invalid' in usable) return wrongField(usable.invalid)
  const { policy, problems, wrong } = usable
  return { policy, wrong, ineffective: [...unknownFields(problems), ...findUnsupported(unsupportedInPolicies, policy)] }
}

/** Like `readPolicy`, but with `strict` a policy with a field without effect is a problem. */
function readAllowed(value: unknown, { strict }: Draft): ReadablePolicy | UnreadablePolicy {
  const read = readPolicy(value)
  const rejected = strict && !('problem' in read) ? strictProblemOf(read.ineffective) : undefined
  if (rejected === undefined) return read
  return { problem: `${printJsonPath(rejected.path)} ${rejected.message}`, path: rejected.path }
}

function accept(draft: Draft, source: string, { policy, ineffective, wrong = [] }: ReadablePolicy): void {
  draft.bySource.set(source, [policy])
  for (const problem of wrong) draft.warnings.push(`${source}: ${problem}`)
  for (const unsupported of ineffective) {
    const { path, status, instead } = unsupported
    const field = printJsonPath(path)
    if (status === 'stored') draft.stored.push({ source, field, instead })
    else draft.warnings.push(`${source}: ${field} ${effectOf(unsupported)}; ${instead}`)
  }
}
