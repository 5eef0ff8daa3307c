/** `turnpike check FOLDER`: what to check in a folder, which can be an installation, exports, or definitions. */
import { dirname, join } from 'node:path'
import { fileFinding } from '@turnpike/core/definition'
import type { Environment } from '../config/environment.ts'
import type { Finding } from '../config/finding.ts'
import { type ConfigSources, type LoadedConfig, loadConfig } from '../config/load-config.ts'
import { vendorOfValues } from '../formats/vendor-word.ts'
import { convertFound } from '../installation/convert-found.ts'
import { isFolder } from '../installation/find-files.ts'
import { type OpenedInstallation, openInstallation } from '../installation/open-installation.ts'
import { ownedDefinitions } from '../installation/owned-files.ts'
import { type CheckReport, checkGateway } from './check-gateway.ts'
import { documentOf, vendorOfFolder } from './folder-configuration.ts'

export interface CheckedFolder {
  readonly loaded: LoadedConfig
  readonly report: CheckReport
  /** What replaces parts of the container image; `undefined`: nothing does. */
  readonly container?: ContainerParts | undefined
}

export interface ContainerParts {
  /** The Compose file whose variables are used. */
  readonly composeFile: string | undefined
  readonly variables: readonly string[]
  /** Paths of the image, and the folders and files of this machine that replace them. */
  readonly folders: Readonly<Record<string, string>>
}

interface Context {
  readonly environment: Environment
  readonly cwd: string
}

/** Checks the folder, which is absolute. */
export async function checkFolder(folder: string, context: Context): Promise<CheckedFolder> {
  const opened = isFolder(folder) ? openInstallation(folder) : { problem: 'does not exist' }
  if ('problem' in opened) return checkConfiguration({ document: documentOf(folder) }, context)
  if (opened.file !== undefined) return checkInstallation(opened, { file: opened.file }, context)
  if (opened.service !== undefined) {
    const document = { ...documentOf(opened.paths.of('apps')), vendor: 'tyk' }
    return checkInstallation(opened, { document }, context)
  }
  const { found } = opened
  if (found === undefined) return checkConfiguration({ document: documentOf(join(folder, 'apps')) }, context)
  const isPlain = found.apis.length > 0 && found.apis.every(({ source }) => dirname(source) === folder)
  if (isPlain && ownedDefinitions(folder, vendorOfFolder(folder) ?? 'svc').convert === undefined) {
    return checkConfiguration({ document: documentOf(folder) }, context)
  }
  return checkExports(found, folder, context)
}

async function checkConfiguration(
  sources: Pick<ConfigSources, 'document' | 'file'>,
  { environment, cwd }: Context,
): Promise<CheckedFolder> {
  const loaded = loadConfig({ ...sources, environment, cwd })
  return { loaded, report: await checkGateway(loaded, environment, Date.now()) }
}

/** A configuration with the variables and folders of its Compose file, which can also be all that there is. */
async function checkInstallation(
  { service, paths, notes }: OpenedInstallation,
  sources: Pick<ConfigSources, 'document' | 'file'>,
  { environment, cwd }: Context,
): Promise<CheckedFolder> {
  const variables = Object.fromEntries(
    Object.entries(service?.variables ?? {}).filter(([name]) => /^TYK_(GW|SECRET)_/.test(name)),
  )
  const all = { ...variables, ...environment }
  const loaded = loadConfig({ ...sources, environment: all, cwd, pathOf: paths.of })
  const report = await checkGateway(loaded, all, Date.now())
  const names = Object.keys(variables)
  const folders = Object.fromEntries(paths.replaced)
  const container = { composeFile: names.length === 0 ? undefined : service?.file, variables: names, folders }
  const isPlain = names.length === 0 && paths.replaced.size === 0
  return {
    loaded,
    report: { ...report, findings: [...report.findings, ...notes] },
    container: isPlain ? undefined : container,
  }
}

/** The definitions and policies of exports as `turnpike import` would write them. */
async function checkExports(
  found: NonNullable<OpenedInstallation['found']>,
  folder: string,
  { environment, cwd }: Context,
): Promise<CheckedFolder> {
  const vendor = vendorOfValues(found.apis.map(({ value }) => value)) ?? 'tyk'
  const converted = await convertFound(found, vendor)
  const loaded = loadConfig({ document: { ...documentOf(folder), vendor, policies: {} }, environment, cwd })
  const files = converted.files.map(({ name, text, source }) => ({ file: join(folder, name), text, source }))
  const of = (part: string) =>
    files
      .filter(({ file }) => dirname(file) === join(folder, part))
      .map(({ file, text }) => ({ file, text, problem: undefined }))
  const report = await checkGateway(loaded, environment, Date.now(), {
    definitions: { files: of('apps'), problem: undefined },
    policies: { files: of('policies'), kind: 'folder' },
    isFolder: false,
  })
  const sources = new Map(files.map(({ file, source }) => [file, source]))
  // Positions in converted files mean nothing to the owner of the exports.
  const findings = report.findings.map(({ line: _, column: __, ...finding }): Finding => {
    const source = sources.get(finding.source)
    return source === undefined ? finding : { ...finding, source }
  })
  const left = converted.leftOut.map(({ source, reason }) => fileFinding('not-converted', source, { reason }))
  const about = fileFinding('checked-as-converted', folder)
  return {
    loaded,
    report: { ...report, files: [...new Set(sources.values())], findings: [...findings, ...left, about] },
  }
}
