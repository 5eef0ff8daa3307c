/** Finds files in the folder of definitions that look like APIs and are not served. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isSidecarName } from '@turnpike/core/definition'
import type { Finding } from '../config/finding.ts'

/** Enough to find the first members of an OpenAPI document, which begins with its version. */
const searchedLength = 64 * 1024

/** Reports YAML files, and sidecar documents without a definition. An unreadable folder is reported elsewhere. */
export function findForeignFiles(folder: string): Finding[] {
  let names: string[]
  try {
    names = readdirSync(folder).filter((name) => !name.startsWith('.'))
  } catch {
    return []
  }
  const known = new Set(names)
  return names.sort().flatMap((name): Finding[] => {
    const file = join(folder, name)
    const fix = `convert it with: turnpike import ${file}`
    if (/\.ya?ml$/i.test(name)) {
      return isOpenApi(file)
        ? [warning(file, 'is an OpenAPI document in YAML and is not served', fix)]
        : [warning(file, 'is not read: definitions are JSON files')]
    }
    if (!isSidecarName(name) || known.has(name.replace(/-(oas|mcp)\.json$/, '.json'))) return []
    const definition = name.replace(/-(oas|mcp)\.json$/, '.json')
    const reason = `is not served, because its definition ${definition} is missing`
    return [name.endsWith('-oas.json') ? warning(file, reason, fix) : warning(file, reason)]
  })
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
