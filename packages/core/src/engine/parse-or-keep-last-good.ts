/**
 * Reads definitions in three steps: parse the text, open the TCP port, read the scripts. If a step fails, the API keeps its
 * last good version, or is not served if it has none; the report names the problem. If the
 * policies cannot be read, `build-next-snapshot.ts` drops the whole reload.
 * Source: docs/reference/hot-reload.md#reload-contents.
 */
import type { ApiDefinition } from '../definition/api-definition.ts'
import type { DefinitionProblem } from '../definition/definition-problem.ts'
import type { SourceDocument, SourceSnapshot } from '../definition/definition-source.ts'
import { makeNote, noteText, type Report } from '../definition/findings/finding.ts'
import { securityLint } from '../definition/lint/security-lint.ts'
import { parseDefinition } from '../definition/parse-definition.ts'
import { withScripts } from '../definition/scripts/load-scripts.ts'
import type { ScriptFiles } from '../definition/scripts/script-files.ts'
import { strictProblem } from '../definition/support-status/strict-problem.ts'
import { type ReadTemplate, withTemplateFiles } from '../definition/template-files.ts'
import { isPromise, type Maybe, when } from '../lib/maybe.ts'
import type { SecretLookup } from '../lib/secret-lookup.ts'
import { printJsonPath } from '../lib/shape/json-path.ts'
import { locateJson } from '../lib/shape/locate-json.ts'
import type { JsonPath } from '../lib/shape/shape.ts'
import type { StageServices } from '../pipeline/contract/stage-services.ts'
import type { CustomStages } from '../pipeline/custom-stages/make-custom-stages.ts'
import type { ApiPorts } from '../ports/api-ports.ts'
import type { GatewaySettings } from '../ports/settings.ts'
import type { FailedDefinition } from './reload-report.ts'
import type { RoutingSnapshot } from './routing-snapshot.ts'
import { settlePorts } from './settle-ports.ts'
import type { Slices } from './time-slices.ts'

export interface DefinitionsInput {
  /** The files of definitions and policies. */
  readonly source: SourceSnapshot
  /** The snapshot that serves requests; `undefined` at the first load. */
  readonly running: RoutingSnapshot | undefined
  readonly services: StageServices & { readonly customStages: CustomStages }
  /** Resolves `env://NAME` and `secrets://NAME` in definitions. */
  readonly secret: SecretLookup
  /** Reads template files that definitions name. */
  readonly readTemplate: ReadTemplate
  /** Reads the sources of scripts. */
  readonly scriptFiles?: ScriptFiles | undefined
  /** Opens the TCP ports that APIs have of their own. Absent: no port is opened. */
  readonly ports?: ApiPorts | undefined
}

/** The definitions of a source: those to serve, all that were parsed, and those with errors. */
export interface ParsedAll {
  readonly served: ApiDefinition[]
  readonly parsed: Map<string, ApiDefinition>
  readonly failed: FailedDefinition[]
}

/** Reports why a definition cannot be served. Returns the last good version of its API, if there is one. */
function keepLastGood(
  lastGood: ApiDefinition | undefined,
  problem: Omit<FailedDefinition, 'keptOld'>,
  read: ParsedAll,
): ApiDefinition | undefined {
  read.failed.push({ ...problem, keptOld: lastGood !== undefined })
  return lastGood
}

export async function parseAll(input: DefinitionsInput, slices: Slices): Promise<ParsedAll> {
  const { honourActive } = input.services.settings
  const all: ParsedAll = { served: [], parsed: new Map(), failed: [] }
  for (const document of input.source.definitions) {
    const known = input.running?.parsed.get(document.name)
    const parsed = known?.hash === document.hash ? known : parseOne(document, known, input, all)
    // Equal hashes: the definition refers to secrets, and neither its text nor their values changed.
    const made = parsed?.hash === known?.hash ? known : withStages(parsed as ApiDefinition, document, known, input, all)
    const definition = isPromise(made) ? await made : made
    await slices.pause()
    if (definition === undefined) continue
    all.parsed.set(document.name, definition)
    if (definition.active || !honourActive) all.served.push(definition)
  }
  return all
}

/** Why a definition could not be loaded. An unreadable file has no line and column. */
type Failure = Pick<DefinitionProblem, 'message'> & Partial<Pick<DefinitionProblem, 'line' | 'column' | 'path'>>

/** Parses a definition. If the file is invalid, the last good version of its API is returned. */
function parseOne(
  document: SourceDocument,
  known: ApiDefinition | undefined,
  { secret, readTemplate, services }: DefinitionsInput,
  all: ParsedAll,
): ApiDefinition | undefined {
  const failure: Failure | { definition: ApiDefinition } =
    document.text === undefined
      ? { message: document.problem ?? 'cannot be read' }
      : parse(document.text, document, secret, services.settings)
  if ('message' in failure) return keepLastGood(known, reportOf(document.name, failure), all)
  // A template file that is missing now keeps its last text; without one only its path is closed.
  const { definition, problem } = withTemplateFiles(failure.definition, readTemplate, known?.templateFiles)
  if (problem !== undefined) all.failed.push({ ...reportOf(document.name, problem), keptOld: true })
  warnOfRisks(definition, services)
  return definition
}

function reportOf(source: string, { path, message, line, column }: Failure): Omit<FailedDefinition, 'keptOld'> {
  return {
    source,
    reason: path?.length ? `${printJsonPath(path)}: ${message}` : message,
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  }
}

/**
 * Makes the custom stages of a definition, with their configurations. If that fails, the last good version of the API is
 * returned.
 */
function withStages(
  definition: ApiDefinition,
  document: SourceDocument,
  known: ApiDefinition | undefined,
  { services }: DefinitionsInput,
  all: ParsedAll,
): Maybe<ApiDefinition | undefined> {
  return when(services.customStages.prepare(definition, services), (problem) => {
    if (problem === undefined) return definition
    const { path, message, isOfSidecar } = problem
    const { name: source, text, sidecar } = document
    const place = locateJson((isOfSidecar ? sidecar?.text : text) ?? '', path)
    const reason = `${printJsonPath(path)}: ${message}`
    const inSidecar = { source, reason: `${sidecar?.name}:${place.line}:${place.column}: ${reason}` }
    return keepLastGood(known, isOfSidecar ? inSidecar : { source, reason, ...place }, all)
  })
}

function parse(
  text: string,
  document: SourceDocument,
  secret: SecretLookup,
  { ports, vendor, strict = false }: Pick<GatewaySettings, 'ports' | 'vendor' | 'strict'>,
) {
  const { name, path, hash, sidecar } = document
  const parsed = parseDefinition(text, name, hash, { secret, vendor, sidecar, path, ports })
  if (parsed.definition === undefined) return parsed.problem
  const rejected = strict ? strictProblem(parsed.definition) : undefined
  if (rejected !== undefined) return { ...rejected, ...placeOf(rejected.path, text) }
  return { definition: parsed.definition }
}

/** Members of the sidecar document have no place in the definition file. */
function placeOf(path: JsonPath, text: string) {
  return String(path[0]).startsWith('x-') ? {} : locateJson(text, path)
}

/** Logs what a definition depends on that a client can forge. */
function warnOfRisks({ id, document }: ApiDefinition, { settings, log }: DefinitionsInput['services']): void {
  const { xffDepth, trustsPeer } = settings.routing
  const clientAddresses = xffDepth > 0 || trustsPeer !== undefined ? 'trusted' : 'any'
  const report: Report = (finding, path, ...values) => {
    const note = makeNote(finding, path, ...values)
    log.warn(noteText(note), { api: id, field: printJsonPath(path), finding })
  }
  securityLint(document, report, { clientAddresses, vendor: settings.vendor })
}

/**
 * Reads the scripts of the definitions, at every reload, because files change without their definition. An API whose
 * bundle cannot be loaded is reported and keeps its last good version, if it has one.
 */
export async function readScripts(
  definitions: readonly ApiDefinition[],
  read: ParsedAll,
  { running, services, scriptFiles }: DefinitionsInput,
): Promise<readonly ApiDefinition[]> {
  const served: ApiDefinition[] = []
  for (const definition of definitions) {
    const made = await withScripts(definition, services.settings.scripts, scriptFiles)
    if ('definition' in made) {
      served.push(made.definition)
      continue
    }
    const { source } = definition
    const before = running?.apis.find((api) => api.definition.source === source)?.definition
    const kept = keepLastGood(before, { source, reason: made.problem }, read)
    if (kept !== undefined) served.push(kept)
  }
  return served
}

/** Opens the ports. An API whose port cannot be opened is reported and keeps its last good version, if it has one. */
export async function placeOnPorts(read: ParsedAll, input: DefinitionsInput): Promise<readonly ApiDefinition[]> {
  const { running, services } = input
  const mayServe = (definition: ApiDefinition) => definition.active || !services.settings.honourActive
  const { served, failures } = await settlePorts({
    definitions: read.served,
    running: running?.apis.map((api) => api.definition) ?? [],
    lastGood(source) {
      const before = running?.parsed.get(source)
      return before !== undefined && mayServe(before) ? before : undefined
    },
    ports: input.ports,
  })
  for (const { definition, message, keptOld } of failures) {
    const { source } = definition
    const before = keptOld ? running?.parsed.get(source) : undefined
    // Without an entry the next reload parses the file again, when the port may be free.
    if (before === undefined) read.parsed.delete(source)
    else read.parsed.set(source, before)
    const text = input.source.definitions.find(({ name }) => name === source)?.text
    const place = text === undefined ? {} : locateJson(text, ['listen_port'])
    keepLastGood(before, { source, reason: `listen_port: ${message}`, ...place }, read)
  }
  return served
}
