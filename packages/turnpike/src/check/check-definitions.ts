/** Checks each definition, then conflicts between definitions: shared ids and shared listen paths. */
import { basename } from 'node:path'
import { unboundKeySet } from '@turnpike/core/auth'
import {
  bodyTemplateProblem,
  bodyTemplatesOf,
  fileFinding,
  isSidecarName,
  type LintOptions,
  lintDefinition,
  makeNote,
  parseDefinition,
  placeNote,
  type ReadTemplate,
  sidecarFileOf,
} from '@turnpike/core/definition'
import { isStream } from '@turnpike/core/http'
import { loadGraphql, printJsonPath } from '@turnpike/core/lib'
import type { Finding } from '../config/finding.ts'
import { checkAuthGroups } from './check-auth-groups.ts'
import { checkExtension } from './check-extension.ts'
import { checkFileNames } from './check-file-names.ts'
import { checkOrganisations } from './check-organisations.ts'
import { checkDocument } from './check-sidecar.ts'
import type { CheckedApi } from './checked-api.ts'
import { findingAt } from './finding-at.ts'
import type { CheckedFile } from './read-folder.ts'

export interface CheckedDefinitions {
  readonly apis: readonly CheckedApi[]
  /** Probable API ids of files that could not be parsed. */
  readonly brokenIds: ReadonlySet<string>
  readonly findings: readonly Finding[]
}

export interface CheckOptions extends LintOptions {
  readonly readTemplate: ReadTemplate
  /** `dashboard.shared_paths` of the configuration. Default: false. */
  readonly sharedPaths?: boolean
}

/** The name of the member can be written with escapes. */
const mayBeGraphql = /graphql|\\u/i

export async function checkDefinitions(
  files: readonly CheckedFile[],
  options: CheckOptions,
): Promise<CheckedDefinitions> {
  const { vendor = 'svc', strict } = options
  const findings: Finding[] = []
  const apis: CheckedApi[] = []
  const brokenIds = new Set<string>()
  const sidecars = new Map(files.filter(({ file }) => isSidecarName(file)).map((one) => [one.file, one]))
  for (const { file, text, problem } of files) {
    if (sidecars.has(file)) continue
    if (text === undefined) {
      brokenIds.add(stemOf(file))
      findings.push(fileFinding('unreadable-file', file, { problem: problem ?? 'cannot be read' }))
      continue
    }
    if (mayBeGraphql.test(text)) await loadGraphql()
    const lintFindings = lintDefinition(text, { ...options, source: file })
    findings.push(...lintFindings)
    const sidecar = sidecars.get(sidecarFileOf(file, text))
    const { definition, problem: broken } = parseDefinition(text, file, '', {
      secret: options.secret ?? (() => ''),
      vendor,
      ports: options.ports,
      sidecar: sidecar && { name: sidecar.file, hash: '', text: sidecar.text, problem: sidecar.problem },
    })
    const api = definition && { file, text, definition }
    if (api !== undefined) apis.push(api)
    else brokenIds.add(/"api_id"\s*:\s*"([^"\\]*)"/.exec(text)?.[1] ?? stemOf(file))
    if (broken !== undefined && !lintFindings.some(({ severity }) => severity === 'error')) {
      const { path, message, line, column } = broken
      const note = makeNote('definition-not-loaded', path, { problem: message })
      findings.push({ ...placeNote(note, file, undefined), line, column, field: printJsonPath(path) })
    }
    // A document with the extension needs no definition file, and is its own sidecar document.
    const document = sidecar ?? (definition?.oas === undefined ? undefined : { file, text, problem })
    if (document !== undefined) {
      findings.push(...checkAuthGroups(document, api, vendor), ...checkExtension(document, { vendor, strict }))
      findings.push(...(await checkDocument(document, api, vendor)))
    }
  }
  findings.push(...apis.flatMap((api) => unboundKeySets(api, vendor)))
  findings.push(...apis.flatMap((api) => invalidTemplates(api, options.readTemplate)))
  findings.push(...sharedIds(apis), ...checkFileNames(apis), ...sharedListenPaths(apis))
  if (options.sharedPaths !== true) findings.push(...checkOrganisations(apis, options))
  return { apis, brokenIds, findings }
}

function stemOf(file: string): string {
  return basename(file).replace(/\.(json|ya?ml)$/, '')
}

/** Returns an error for each template that is invalid, and for each file that is missing. */
function invalidTemplates(api: CheckedApi, read: ReadTemplate): Finding[] {
  return bodyTemplatesOf(api.definition.document).flatMap((template) => {
    const problem = bodyTemplateProblem(template, read)
    return problem === undefined ? [] : [findingAt(api, 'invalid-template', template.path, { problem })]
  })
}

/** A key set often signs the tokens of every application of its issuer. */
function unboundKeySets(api: CheckedApi, vendor: string): Finding[] {
  if (unboundKeySet(api.definition, vendor) === undefined) return []
  const names = api.definition.document.isOas
    ? 'allowedIssuers and allowedAudiences in the JWT scheme of the document'
    : 'jwt_allowed_issuers and jwt_allowed_audiences'
  const field = api.definition.document.jwtSource === '' ? 'jwt_jwks_uris' : 'jwt_source'
  return [findingAt(api, 'unbound-key-set', [field], { names })]
}

function sharedIds(apis: readonly CheckedApi[]): Finding[] {
  return groups(apis, ({ definition }) => definition.id).flatMap((group) =>
    group.map((api) =>
      findingAt(api, 'shared-api-id', ['api_id'], { id: api.definition.id, files: others(api, group) }),
    ),
  )
}

/** At a start, no API gets a shared listen path. Source: docs/reference/api-management.md#listen-path-conflicts. */
function sharedListenPaths(apis: readonly CheckedApi[]): Finding[] {
  const served = apis.filter(({ definition }) => !definition.internal && !isStream(definition))
  const keyOf = ({ definition: { port, domain, listenPath } }: CheckedApi) => `${port} ${domain} ${listenPath}`
  return groups(served, keyOf).flatMap((group) =>
    group.map((api) => {
      const values = { path: api.definition.listenPath, files: others(api, group) }
      return findingAt(api, 'shared-listen-path', ['proxy', 'listen_path'], values)
    }),
  )
}

function groups(apis: readonly CheckedApi[], keyOf: (api: CheckedApi) => string): CheckedApi[][] {
  const byKey = new Map<string, CheckedApi[]>()
  for (const api of apis) {
    const group = byKey.get(keyOf(api))
    if (group === undefined) byKey.set(keyOf(api), [api])
    else group.push(api)
  }
  return [...byKey.values()].filter((group) => group.length > 1)
}

function others(api: CheckedApi, group: readonly CheckedApi[]): string {
  return group
    .filter((other) => other !== api)
    .map((other) => other.file.slice(other.file.lastIndexOf('/') + 1))
    .join(', ')
}
