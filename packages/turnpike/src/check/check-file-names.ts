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
    return [findingAt(api, 'file-of-another-api', ['api_id'], { id, other: taken.definition.id })]
  })
}

function baseName(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1)
}
