/**
 * Turns fields that have no effect into findings with places in the text. The tables in `definition/support-status` say
 * which fields these are: `definition-support.ts`, `openapi-support.ts` and `session-support.ts`; for keys of the
 * configuration, `config-support.ts` of the package turnpike.
 */

import type { JsonPath } from '../../lib/shape/shape.ts'
import type { Unsupported } from '../api-definition.ts'
import { type Finding, makeNote, type Note, placeNote } from '../findings/finding.ts'

export interface IneffectiveOptions {
  /** The file of the text, for the findings. Default: no name. */
  readonly source?: string
  /** Path of the document in the text. Default: the document is the whole text. */
  readonly above?: JsonPath
  /** Fields that would have an effect elsewhere are errors (`strict` of the configuration). Default: false. */
  readonly strict?: boolean | undefined
}

/** Finds the places of the fields in the text. */
export function ineffectiveFindings(
  text: string,
  fields: readonly Unsupported[],
  { source = '', above = [], strict = false }: IneffectiveOptions = {},
): readonly Finding[] {
  return fields.map((field) => {
    // With `strict` the gateway rejects every unknown field.
    const status = strict && field.status === 'unused' ? 'unknown' : field.status
    const note = ineffectiveNote({ ...field, status, path: [...above, ...field.path] })
    return placeNote(strict && note.severity === 'warning' ? { ...note, severity: 'error' } : note, source, text)
  })
}

/** What is reported about a field without effect. */
export function ineffectiveNote(field: Unsupported): Note {
  return { ...noteOf(field), ineffective: true }
}

function noteOf({ path, status, reason, instead, changesRequests }: Unsupported): Note {
  if (status === 'stored') return makeNote('stored-field', path, { instead })
  if (status === 'unused') return makeNote('unused-field', path, { instead })
  if (status === 'unknown') return makeNote('unknown-field', path, { instead })
  if (status === 'wrong-type') return makeNote('wrong-inner-type', path, { problem: reason, instead })
  if (status === 'rejected') return makeNote('feature-rejected', path, { reason, instead })
  return makeNote(changesRequests ? 'feature-without-effect' : 'field-without-effect', path, { reason, instead })
}
