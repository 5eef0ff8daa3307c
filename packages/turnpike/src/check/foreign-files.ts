/** Finds files in the folder of definitions that are not served. */
import { type Dirent, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileFinding, hasDefinitionMember, isSidecarName } from '@turnpike/core/definition'
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
    return holds ? fileFinding('definitions-in-subfolder', file, { folder: dirname(file) }) : undefined
  }
  if (/\.ya?ml$/.test(name)) return yamlFinding(file)
  if (/\.(json|ya?ml)$/i.test(name) && !/\.(json|ya?ml)$/.test(name)) {
    const wanted = name.replace(/\.[^.]*$/, (ending) => ending.toLowerCase())
    return fileFinding('file-ending-in-capitals', file, { name: wanted })
  }
  if (!name.endsWith('.json')) return fileFinding('other-file', file)
  if (!isSidecarName(name)) return undefined
  const definition = name.replace(/-(oas|mcp)\.json$/, '.json')
  if (known.has(definition)) return undefined
  const fix = name.endsWith('-oas.json') ? `convert it with: turnpike import ${file}` : 'add it'
  return fileFinding('document-without-definition', file, { name: definition, fix })
}

/** A YAML file is read if it is a definition, or a document with the extension of a gateway. */
function yamlFinding(file: string): Finding | undefined {
  const text = readOne(file).text
  if (text === undefined || hasDefinitionMember(text)) return undefined
  if (!isOpenApi(file)) return fileFinding('yaml-without-definition', file)
  return fileFinding('yaml-document-not-served', file, { file })
}

function isOpenApi(file: string): boolean {
  try {
    return /^\s*["']?(openapi|swagger)["']?\s*:/m.test(readFileSync(file, 'utf8').slice(0, searchedLength))
  } catch {
    return false
  }
}
