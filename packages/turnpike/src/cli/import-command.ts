/** `turnpike import`: converts an OpenAPI document to an API in the folder of definitions, and reports what it ignores. */
import { join, relative, resolve } from 'node:path'
import { parseTargetUrl } from '@turnpike/core/definition'
import { listOf, memberOf, textOf } from '@turnpike/core/lib'
import { checkDefinitions } from '../check/check-definitions.ts'
import { readFolder } from '../check/read-folder.ts'
import { withoutAllowed } from '../config/allowed-findings.ts'
import { type Finding, formatFinding, hasErrors, isQuiet } from '../config/finding.ts'
import { type LoadedConfig, loadConfig } from '../config/load-config.ts'
import { vendorOfDocument } from '../formats/vendor-word.ts'
import { makeReadTemplate } from '../gateway/read-template.ts'
import { makeSecretLookup } from '../gateway/secret-lookup.ts'
import { echoTarget } from '../import/choose-upstream.ts'
import {
  type ConvertedApi,
  convertOpenApi,
  hasOwnExtension,
  type ImportAuth,
  operationCount,
} from '../import/convert-openapi.ts'
import { type ImportNote, importNotes, referenceNotes } from '../import/import-notes.ts'
import { readOpenApi } from '../import/read-openapi.ts'
import { apiFiles } from '../init/api-files.ts'
import { existingFiles, writeFiles } from '../init/write-files.ts'
import { columns } from '../terminal/columns.ts'
import { type ExitCode, exitCodes, type Io } from '../terminal/io.ts'
import { codeOfInvalidConfig, configErrors } from './config-problem.ts'
import { exportsIn, importExports } from './import-exports.ts'

export interface ImportOptions {
  readonly conf?: string
  /** Folder of definitions. Default: that of the configuration. */
  readonly out?: string
  readonly id?: string
  readonly name?: string
  readonly listenPath?: string
  readonly target?: string
  readonly org?: string
  readonly auth?: ImportAuth
  readonly validate?: boolean
  readonly mock?: boolean
  readonly allowList?: boolean
  readonly replace?: boolean
  readonly dryRun?: boolean
  readonly json?: boolean
}

export async function importCommand(source: string, options: ImportOptions, io: Io): Promise<ExitCode> {
  const loaded = loadConfig({ file: options.conf, environment: io.environment, cwd: io.cwd })
  const problems = configProblems(loaded, options) ?? optionProblem(options)
  if (problems !== undefined) {
    for (const problem of problems) io.err(problem)
    return loaded.usable ? exitCodes.wrongUse : codeOfInvalidConfig(loaded)
  }
  const read = await readOpenApi(source, io.cwd)
  if (read.problem !== undefined) {
    const exports = exportsIn(source, io.cwd)
    if (exports !== undefined) return importExports(exports, options, loaded, io)
    io.err(`error: ${source}: ${read.problem}`)
    return read.notFound ? exitCodes.wrongUse : exitCodes.found
  }
  const folder = options.out === undefined ? loaded.config.appPath : resolve(io.cwd, options.out)
  const vendor = wordFor(vendorOfDocument(read.document), loaded)
  if (typeof vendor !== 'string') {
    io.err(`error: ${source}: ${vendor.problem}`)
    return exitCodes.found
  }
  const hasUpstream = /^https?:\/\//.test(textOf(memberOf(listOf(read.document['servers'])[0], 'url')))
  const target = options.target ?? (options.mock === true && !hasUpstream ? echoTarget : undefined)
  const converted = await convertOpenApi(read.document, { ...options, target, orgId: options.org, source, vendor })
  if (converted.problem !== undefined) {
    for (const line of converted.problem.split('\n')) io.err(`error: ${source}: ${line}`)
    return exitCodes.found
  }
  const { api } = converted
  const ownNotes = hasOwnExtension(read.document, vendor)
    ? []
    : importNotes(read.document, api.auth, { ...options, target: options.target, vendor })
  const notes = [...referenceNotes(read.unread), ...ownNotes]
  const findings = await check(api, folder, { ...loaded, config: { ...loaded.config, vendor } }, io)
  const written = writeApi(api, folder, options, io)
  if (typeof written === 'number') return written
  if (options.json === true) {
    const { id, name, listenPath, auth } = api
    const shown = { id, name, listenPath, target: api.target, auth, written, ignored: notes, findings }
    io.out(JSON.stringify(shown, null, 2))
  } else print({ source, api, notes, findings, written, dryRun: options.dryRun === true, io })
  return hasErrors(findings) ? exitCodes.found : exitCodes.fine
}

/**
 * The vendor word for a document with the extension of a word: that word if no configuration says another one. The
 * extension would have no effect with another word, so that operations it blocks would be open.
 */
function wordFor(word: string | undefined, { config, origin }: LoadedConfig): string | { readonly problem: string } {
  if (word === undefined || word === config.vendor) return config.vendor
  if (origin === 'none') return word
  const problem = `has the extension x-${word}-api-gateway, but the vendor word of the configuration is "${config.vendor}"`
  return { problem: `${problem}; set vendor to "${word}", or rename the extension` }
}

function configProblems(loaded: LoadedConfig, { out }: ImportOptions): string[] | undefined {
  if (!loaded.usable) return configErrors(loaded)
  if (loaded.origin !== 'none' || out !== undefined) return undefined
  return [
    'error: there is no gateway.json here; name the folder of definitions with --out, the configuration with --conf, or create a gateway with: turnpike init --openapi FILE',
  ]
}

function optionProblem({ id, listenPath, target }: ImportOptions): string[] | undefined {
  if (id !== undefined && !/^[\w-][\w.-]*$/.test(id))
    return [`error: --id "${id}" must consist of letters, digits, dots and dashes`]
  if (listenPath !== undefined && !/^\/\S*$/.test(listenPath)) {
    return ['error: --listen-path begins with a slash and has no white space, as in --listen-path /orders/']
  }
  if (target !== undefined && (parseTargetUrl(target)?.origin ?? '') === '') {
    return ['error: --target must be an absolute URL such as https://example.com/v1']
  }
  return undefined
}

/** Returns what `turnpike check` will report about the new files, beside the other definitions of the folder. */
async function check(api: ConvertedApi, folder: string, { config }: LoadedConfig, io: Io): Promise<Finding[]> {
  const files = apiFiles(api, folder).map(({ name, text }) => ({ file: join(folder, name), text, problem: undefined }))
  const own = new Set(files.map(({ file }) => file))
  const others = readFolder(folder).files.filter(({ file }) => !own.has(file))
  const { findings } = await checkDefinitions([...others, ...files], {
    vendor: config.vendor,
    secret: makeSecretLookup(io.environment, config),
    readTemplate: makeReadTemplate(folder, config),
  })
  return withoutAllowed(findings, config.check.allow ?? [])
    .findings.filter((finding) => own.has(finding.source) && !isQuiet(finding))
    .map((finding) => ({ ...finding, source: relative(io.cwd, finding.source) }))
}

/** Writes the files unless `dryRun` is set. Returns their paths, or the exit code if they exist or cannot be written. */
function writeApi(api: ConvertedApi, folder: string, options: ImportOptions, io: Io): string[] | ExitCode {
  const files = apiFiles(api, folder).map((file) => ({ ...file, isSecret: false }))
  const paths = files.map(({ name }) => relative(io.cwd, join(folder, name)))
  const existing = existingFiles(folder, files)
  if (existing.length > 0 && options.replace !== true) {
    const names = existing.map((name) => relative(io.cwd, join(folder, name))).join(', ')
    io.err(`error: nothing was written, because these files exist: ${names}; use --replace, or --id for another API`)
    return exitCodes.found
  }
  if (options.dryRun === true) return paths
  try {
    writeFiles(folder, files, options.replace === true)
    return paths
  } catch (cause) {
    io.err(`error: the files cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`)
    return exitCodes.found
  }
}

interface Printed {
  readonly source: string
  readonly api: ConvertedApi
  readonly notes: readonly ImportNote[]
  readonly findings: readonly Finding[]
  readonly written: readonly string[]
  readonly dryRun: boolean
  readonly io: Io
}

function print({ source, api, notes, findings, written, dryRun, io }: Printed): void {
  const access = { none: 'open', key: 'with a key', document: 'by the security of the document' }[api.auth]
  io.out(`${source}: ${operationCount(api.document)} operations as API ${api.id} ("${api.name}")`)
  io.out(`  ${api.listenPath} -> ${api.target}, ${access}`)
  if (notes.length > 0) io.out('ignored or different:')
  for (const row of columns(notes.map(({ path, message }) => [path, message]))) io.out(`  ${row}`)
  for (const finding of findings) io.err(formatFinding(finding))
  for (const file of written) io.out(`${dryRun ? 'would write' : 'wrote'} ${file}`)
}
