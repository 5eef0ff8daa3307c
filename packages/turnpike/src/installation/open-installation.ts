/** Finds what an installation of the original gateway consists of: its configuration, its Compose service, or its exports. */
import { existsSync, statSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileFinding } from '@turnpike/core/definition'
import { configFileIn } from '../config/find-config-file.ts'
import type { Finding } from '../config/finding.ts'
import { composeFileName, type GatewayService, readComposeFile } from '../formats/compose-file.ts'
import { type Found, isEmpty } from '../formats/found.ts'
import { readFiles } from '../formats/read-files.ts'
import { readSyncRepository, syncIndexName } from '../formats/sync-repository.ts'
import { imageFolder, makePathMap, type PathMap } from './container-paths.ts'
import { filesBelow, findConfigurations, findGatewayServices, isFolder } from './find-files.ts'

export interface OpenedInstallation {
  /** The folder that was named, or that of the file. */
  readonly folder: string
  /** The configuration. */
  readonly file: string | undefined
  readonly service: GatewayService | undefined
  readonly paths: PathMap
  /** What was found without a configuration: a sync repository, exports, resources of the operator. */
  readonly found: Found | undefined
  /** What a reader should know about files that were not used. */
  readonly notes: readonly Finding[]
}

/** `from` is a folder or a file. Writes nothing. */
export function openInstallation(from: string): OpenedInstallation | { readonly problem: string } {
  const stats = statSync(from, { throwIfNoEntry: false })
  if (stats === undefined) return { problem: `${from} does not exist` }
  return stats.isDirectory() ? openFolder(from) : openFile(from)
}

function openFile(file: string): OpenedInstallation | { readonly problem: string } {
  const folder = dirname(file)
  if (basename(file) === syncIndexName) return ofExports(folder, readSyncRepository(folder))
  if (composeFileName.test(basename(file))) {
    const service = readComposeFile(file)
    if (service === undefined) return { problem: `${file} has no service with the image of the gateway` }
    if ('problem' in service) return { problem: `${file}:${service.problem}` }
    return ofConfiguration(folder, filesBelow(folder), [service])
  }
  const { found } = readFiles([file])
  if (!isEmpty(found)) return ofExports(folder, found)
  return ofConfiguration(folder, [], findGatewayServices(folder, filesBelow(folder)).flatMap(usable), file)
}

function openFolder(folder: string): OpenedInstallation | { readonly problem: string } {
  const synced = existsSync(join(folder, syncIndexName)) ? readSyncRepository(folder) : undefined
  // An index without lists can lie beside files with other names.
  if (synced !== undefined && !isEmpty(synced)) return ofExports(folder, synced)
  const own = configFileIn(folder)
  // The folder of a configuration can be that of a large project.
  const files = own === undefined ? filesBelow(folder) : filesBelow(folder, 0)
  const services = findGatewayServices(folder, files)
  const usableServices = services.flatMap(usable).filter(({ file, mounts }) => {
    // A Compose file of the parent folder counts if it uses this folder.
    return file.startsWith(`${folder}/`) || mounts.some(({ host }) => host === folder || host.startsWith(`${folder}/`))
  })
  const opened = ofConfiguration(folder, files, usableServices, own)
  if (opened.file !== undefined || opened.service !== undefined || isFolder(join(folder, 'apps'))) return opened
  const { found } = readFiles(files.filter((file) => /\.(json|ya?ml)$/i.test(file)))
  const problems = services.flatMap((service) =>
    'problem' in service ? [fileFinding('unusable-compose-file', service.file, { problem: service.problem })] : [],
  )
  if (!isEmpty(found)) return { ...ofExports(folder, found), notes: problems }
  return { problem: `${folder} contains no tyk.conf or another configuration, and no definitions or policies` }
}

function usable(service: GatewayService | { readonly problem: string }): GatewayService[] {
  return 'problem' in service ? [] : [service]
}

function ofExports(folder: string, found: Found): OpenedInstallation {
  return { folder, file: undefined, service: undefined, paths: makePathMap(folder, []), found, notes: [] }
}

/** The configuration that the service mounts is used, else that of a usual name, else the nearest one. */
function ofConfiguration(
  folder: string,
  files: readonly string[],
  services: readonly GatewayService[],
  named?: string,
): OpenedInstallation {
  const mounted = services.map((service) => ({ service, file: mountedConfiguration(service) }))
  const all = findConfigurations(files)
  const chosen = mounted.find(({ file }) => file !== undefined && (named === undefined || file === named))
  const file = named ?? chosen?.file ?? all[0]
  const service = chosen?.service ?? services[0]
  const others = all.filter((other) => other !== file).map((other) => relative(folder, other))
  const configFolder = file === undefined ? folder : dirname(file)
  const more = others.length > 3 ? ` and ${others.length - 3} more` : ''
  const names = `${others.slice(0, 3).join(', ')}${more}`
  return {
    ...{ folder, file, service },
    paths: makePathMap(configFolder, service?.mounts ?? []),
    found: undefined,
    notes: others.length === 0 ? [] : [fileFinding('other-configurations', folder, { names })],
  }
}

function mountedConfiguration({ mounts, conf }: GatewayService): string | undefined {
  const path = conf ?? `${imageFolder}/tyk.conf`
  const file = makePathMap('/', mounts).of(path)
  return file !== path && existsSync(file) && statSync(file).isFile() ? file : undefined
}
