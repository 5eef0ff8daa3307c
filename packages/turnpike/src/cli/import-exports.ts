/** `turnpike import` of anything but one OpenAPI document: exports, sync repositories, resources of the operator. */
import { existsSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { isJson } from '@turnpike/core/lib'
import type { LoadedConfig } from '../config/load-config.ts'
import { type Found, isEmpty } from '../formats/found.ts'
import { readFiles } from '../formats/read-files.ts'
import { readSyncRepository, syncIndexName } from '../formats/sync-repository.ts'
import { vendorOfValues } from '../formats/vendor-word.ts'
import { isUrl } from '../import/read-openapi.ts'
import { schemaReference } from '../init/schema-reference.ts'
import { existingFiles, writeFiles } from '../init/write-files.ts'
import { type ConvertedFile, convertFound } from '../installation/convert-found.ts'
import { filesBelow } from '../installation/find-files.ts'
import { count } from '../start/reload-lines.ts'
import { columns } from '../terminal/columns.ts'
import { type ExitCode, exitCodes, type Io } from '../terminal/io.ts'

export interface ImportExportsOptions {
  /** Folder of definitions. Default: that of the configuration. */
  readonly out?: string
  readonly org?: string
  readonly replace?: boolean
  readonly dryRun?: boolean
  readonly json?: boolean
}

/** Returns what a file or folder contains; `undefined` for an OpenAPI document, a URL, or a file that is nothing of this. */
export function exportsIn(source: string, cwd: string): Found | undefined {
  const path = resolve(cwd, source)
  if (isUrl(source) || !existsSync(path)) return undefined
  if (statSync(path).isDirectory()) {
    if (existsSync(join(path, syncIndexName))) return readSyncRepository(path)
    const { found } = readFiles(filesBelow(path).filter((file) => /\.(json|ya?ml)$/i.test(file)))
    return isEmpty(found) ? undefined : found
  }
  if (basename(path) === syncIndexName) return readSyncRepository(dirname(path))
  const { values, found } = readFiles([path])
  const [only] = values
  const isDocument = values.length === 1 && isJson(only?.value) && ('openapi' in only.value || 'swagger' in only.value)
  const isDefinition = values.length === 1 && isJson(only?.value) && 'proxy' in only.value
  return isDocument || isDefinition || isEmpty(found) ? undefined : found
}

/** Writes definitions to the folder of definitions, and policies to that of policies or beside it. */
export async function importExports(
  found: Found,
  options: ImportExportsOptions,
  { config, origin }: LoadedConfig,
  io: Io,
): Promise<ExitCode> {
  const apps = options.out === undefined ? config.appPath : resolve(io.cwd, options.out)
  const { policyPath } = config.policies
  const policies = policyPath !== '' && options.out === undefined ? policyPath : join(dirname(apps), 'policies')
  const word = origin === 'none' ? vendorOfValues(found.apis.map(({ value }) => value)) : undefined
  const converted = await convertFound(withOrg(found, options.org), word ?? config.vendor, {
    classic: schemaReference('classic-api', apps),
    document: schemaReference('openapi-extension', apps),
  })
  const files = converted.files.map(({ name, text, source }) => ({
    ...{ name: join(name.startsWith('apps/') ? apps : policies, basename(name)), text, source, isSecret: false },
  }))
  const existing = existingFiles('/', files)
  if (existing.length > 0 && options.replace !== true) {
    const names = existing.map((name) => relative(io.cwd, name)).join(', ')
    io.err(`error: nothing was written, because these files exist: ${names}; use --replace, or name another --out`)
    return exitCodes.found
  }
  if (options.dryRun !== true) writeFiles('/', files, options.replace === true)
  const left = converted.leftOut.map(({ source, reason }) => ({ source: relative(io.cwd, source) || source, reason }))
  if (options.json === true) {
    const written = files.map(({ name }) => relative(io.cwd, name))
    const { apis, policies: policyCount } = converted
    io.out(JSON.stringify({ apis, policies: policyCount, written, left_out: left }, null, 2))
  } else print(files, { ...converted, leftOut: left }, options.dryRun === true, io)
  if (found.keys.length > 0)
    io.err(`keys are not imported here: use turnpike keys import (${count(found.keys.length, 'key')})`)
  return converted.apis + converted.policies === 0 ? exitCodes.found : exitCodes.fine
}

/** Definitions and policies without an organisation get that of `--org`. */
function withOrg(found: Found, org: string | undefined): Found {
  if (org === undefined) return found
  const set = <T extends { readonly value: Found['apis'][number]['value'] }>(one: T): T =>
    (one.value['org_id'] ?? '') === '' ? { ...one, value: { ...one.value, org_id: org } } : one
  const apis = found.apis.map((api) => (api.kind === 'definition' ? set(api) : api))
  return { ...found, apis, policies: found.policies.map(set) }
}

function print(
  files: readonly ConvertedFile[],
  { apis, policies, leftOut }: Awaited<ReturnType<typeof convertFound>>,
  isDryRun: boolean,
  io: Io,
): void {
  io.out(`${count(apis, 'definition')} and ${count(policies, 'policy', 'policies')}`)
  if (leftOut.length > 0) io.out('not taken over:')
  for (const row of columns(leftOut.map(({ source, reason }) => [source, reason]))) io.out(`  ${row}`)
  for (const { name, source } of files) {
    io.out(`${isDryRun ? 'would write' : 'wrote'} ${relative(io.cwd, name)} from ${relative(io.cwd, source) || source}`)
  }
}
