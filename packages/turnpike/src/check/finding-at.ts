/** Findings of `turnpike check` about a value in a file. */
import { type Finding, type FindingId, type FindingValues, makeNote, placeNote } from '@turnpike/core/definition'
import type { JsonPath } from '@turnpike/core/lib'

/** A file whose text could be read. */
export interface ReadFile {
  readonly file: string
  readonly text: string
}

/** A finding at the position of the value; if the file does not have the value, at that of the next one above it. */
export function findingAt<Id extends FindingId>(
  { file, text }: ReadFile,
  id: Id,
  path: JsonPath,
  ...values: FindingValues<Id>
): Finding {
  return placeNote(makeNote(id, path, ...values), file, text)
}
