/** Finds the files of an installation in a folder, by name and content. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isJson } from '@turnpike/core/lib'
import { configNames } from '../config/find-config-file.ts'
import { composeFileName, type GatewayService, readComposeFile } from '../formats/compose-file.ts'
import { valuesOfText } from '../formats/values-of-text.ts'

/** Folders below the named one that are searched, and the number of files that are looked at. */
const maxDepth = 5
const maxFiles = 5000
const maxConfigBytes = 1024 * 1024

/** All files below a folder, nearest first, without hidden ones and those of packages. */
export function filesBelow(folder: string, depthLimit = maxDepth): string[] {
  const files: string[] = []
  let level = [folder]
  for (let depth = 0; depth <= depthLimit && files.length < maxFiles; depth++) {
    const below: string[] = []
    for (const parent of level) {
      for (const entry of entriesOf(parent)) {
        if (entry.name.startsWith('.') || entry.name === 'node_modules') continue
        if (entry.isDirectory()) below.push(join(parent, entry.name))
        else files.push(join(parent, entry.name))
      }
    }
    level = below
  }
  return files.slice(0, maxFiles)
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return []
  }
}

/** Returns the configurations below a folder, the best candidate first: that of a usual name, then the nearest. */
export function findConfigurations(files: readonly string[]): string[] {
  const depth = (file: string) => file.split('/').length
  const rank = (file: string) => {
    const name = basename(file)
    if (name === 'tyk.conf') return 0
    if (name === 'tyk.standalone.conf') return 1
    return configNames.some((usual) => usual === name) ? 2 : 3
  }
  return files
    .filter((file) => /\.(conf|json|ya?ml)$/.test(file) && isConfiguration(file))
    .sort((a, b) => depth(a) - depth(b) || rank(a) - rank(b))
}

/** Whether a file is a configuration of a gateway. That of the dashboard or the pump has other members. */
function isConfiguration(file: string): boolean {
  try {
    if (statSync(file).size > maxConfigBytes) return false
    const text = readFileSync(file, 'utf8')
    if (!/app_path|listen_port/.test(text)) return false
    // Notes before or behind the value, and placeholders, are reported when the file is read.
    if (/^tyk[\w.-]*\.conf$/.test(basename(file)) && !/mongo_url|purge_delay|"notifications_listen_port"/.test(text))
      return true
    const value = valuesOfText(text, file).values?.[0]
    if (!isJson(value) || 'mongo_url' in value || 'proxy' in value) return false
    return 'app_path' in value || ('listen_port' in value && 'secret' in value && 'storage' in value)
  } catch {
    return false
  }
}

/** The Compose files of a folder and of its parents up to `root`, and those below it. */
export function findGatewayServices(
  folder: string,
  files: readonly string[],
): (GatewayService | { problem: string; file: string })[] {
  const beside = [dirname(folder)].flatMap((parent) => entriesOf(parent).map(({ name }) => join(parent, name)))
  const candidates = [...files, ...beside].filter((file) => composeFileName.test(basename(file)))
  return candidates.flatMap((file): (GatewayService | { problem: string; file: string })[] => {
    const service = readComposeFile(file)
    if (service === undefined) return []
    return 'problem' in service ? [{ ...service, file }] : [service]
  })
}

export function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory()
}
