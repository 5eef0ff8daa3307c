/** Finds definitions that a write of the management API would replace by another API. */
import type { Finding } from '../config/finding.ts'
import type { CheckedApi } from './checked-api.ts'
import { findingAt } from './finding-at.ts'

/** `<id>.json` is the file that a change of an API writes, so it must not define another API. */
export function checkFileNames(apis: readonly CheckedApi[]): Finding[] {
  return apis.flatMap((api) => {
    const { id } = api.definition
    const taken = apis.find(({ file, definition }) => baseName(file) === `${id}.json` && definition.id !== id)
    if (taken === undefined) return []
    const reason = `is "${id}", but ${id}.json defines the API "${taken.definition.id}", so this API cannot be changed`
    return [findingAt(api, 'error', ['api_id'], reason, `rename ${id}.json to ${taken.definition.id}.json`)]
  })
}

function baseName(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1)
}
