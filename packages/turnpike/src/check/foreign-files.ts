/** Finds files in the folder of definitions that are not served. */
import { type Dirent, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { hasDefinitionMember, isSidecarName } from '@turnpike/core/definition'
import type { Finding } from '../config/finding.ts'
import { readOne } from './read-folder.ts'

/** Enough to find the first members of an OpenAPI document, which begins with its version. */
const searchedLength = 64 * 1024

/** Reports each file of the folder that is not read, with the reason. An unreadable folder is reported elsewhere. */
export function findForeignFiles(folder: string): Finding[] {
  let entries: Dirent[]
  try {
    entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !name.startsWith('.'))
  } catch {
    return []
  }
  const known = new Set(entries.map(({ name }) => name))
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => findingOf(join(folder, entry.name), entry, known) ?? [])
}

function findingOf(file: string, entry: Dirent, known: ReadonlySet<string>): Finding | undefined {
  const { name } = entry
  if (entry.isDirectory()) {
    const holds = readdirSync(file).some((inner) => /\.(json|ya?ml)$/i.test(inner))
    const fix = `move its definitions to ${dirname(file)}`
    return holds ? warning(file, 'is a folder: definitions in sub-folders are not read', fix) : undefined
  }
  if (/\.ya?ml$/.test(name)) return yamlFinding(file)
  if (/\.(json|ya?ml)$/i.test(name) && !/\.(json|ya?ml)$/.test(name)) {
    const wanted = name.replace(/\.[^.]*$/, (ending) => ending.toLowerCase())
    return warning(file, 'is not read, because the ending of its name is in capitals', `rename it to ${wanted}`)
  }
  if (!name.endsWith('.json')) {
    const reason = 'is not read: definitions are files with the endings .json, .yaml and .yml'
    return { severity: 'note', source: file, field: '', reason }
  }
  if (!isSidecarName(name)) return undefined
  const definition = name.replace(/-(oas|mcp)\.json$/, '.json')
  if (known.has(definition)) return undefined
  const reason = `is not served, because its definition ${definition} is missing`
  return name.endsWith('-oas.json')
    ? warning(file, reason, `convert it with: turnpike import ${file}`)
    : warning(file, reason)
}

/** A YAML file is read if it is a definition, or a document with the extension of a gateway. */
function yamlFinding(file: string): Finding | undefined {
  const text = readOne(file).text
  if (text === undefined || hasDefinitionMember(text)) return undefined
  if (!isOpenApi(file)) return warning(file, 'is not read: it contains no definition')
  return warning(file, 'is an OpenAPI document in YAML and is not served', `convert it with: turnpike import ${file}`)
}

function isOpenApi(file: string): boolean {
  try {
    return /^\s*["']?(openapi|swagger)["']?\s*:/m.test(readFileSync(file, 'utf8').slice(0, searchedLength))
  } catch {
    return false
  }
}

function warning(source: string, reason: string, fix?: string): Finding {
  return { severity: 'warning', source, field: '', reason, ...(fix === undefined ? {} : { fix }) }
}
