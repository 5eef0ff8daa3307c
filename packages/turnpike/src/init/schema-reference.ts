/** Values of `$schema`, with which editors check and complete the files of a gateway. */
import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { packageFile } from '../package-folder.ts'

/** The files of `schemas/` in the package, without `.json`. */
export type SchemaName = 'gateway' | 'classic-api' | 'openapi-extension' | 'policies' | 'seed'

/**
 * Returns the reference for files in a folder: a path relative to the folder if it or a parent has turnpike installed,
 * otherwise the URL of the schema in this package.
 */
export function schemaReference(name: SchemaName, folder: string): string {
  const file = `${name}.json`
  const installed = installedSchemas(folder)
  if (installed === undefined) return pathToFileURL(packageFile('schemas', file)).href
  const path = relative(folder, join(installed, file)).replaceAll('\\', '/')
  return path.startsWith('.') ? path : `./${path}`
}

function installedSchemas(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const found = join(at, 'node_modules', 'turnpike')
    if (existsSync(join(found, 'package.json'))) return join(found, 'schemas')
    if (at === dirname(at)) return undefined
  }
}
