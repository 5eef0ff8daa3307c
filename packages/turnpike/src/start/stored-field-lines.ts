/**
 * Lines about fields that no gateway acts on. Existing files contain them often, so a field has one line for all the
 * documents that contain it.
 */
import type { ReloadReport } from '@turnpike/core/engine'

/** The most documents that a line names. */
const namedDocuments = 3

/** Returns a line for each field: its path, the documents that contain it, and what to do instead. */
export function storedFieldLines({ policies, unsupported }: Pick<ReloadReport, 'policies' | 'unsupported'>): string[] {
  const documents = new Map<string, { readonly names: string[]; readonly instead: string | undefined }>()
  const add = (field: string, name: string, instead: string | undefined) => {
    const key = JSON.stringify([field, instead])
    const found = documents.get(key)
    if (found === undefined) documents.set(key, { names: [name], instead })
    else if (!found.names.includes(name)) found.names.push(name)
  }
  for (const { apiId, field, instead, isHarmless } of unsupported) if (isHarmless) add(field, `API ${apiId}`, instead)
  for (const { source, field, instead } of policies.stored ?? []) add(field, `policy ${source}`, instead)
  return [...documents].map(([key, { names, instead }]) => {
    const [field] = JSON.parse(key) as [string]
    const fix = instead === undefined ? '' : `; ${instead}`
    return `  ${field} has no effect in any gateway and is only stored: ${listed(names)}${fix}`
  })
}

function listed(names: readonly string[]): string {
  const more = names.length - namedDocuments
  return more > 0 ? `${names.slice(0, namedDocuments).join(', ')} and ${more} more` : names.join(', ')
}
