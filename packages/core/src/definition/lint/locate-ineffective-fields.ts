/**
 * Turns fields that have no effect into findings with places in the text. The tables in `definition/support-status` say
 * which fields these are: `definition-support.ts`, `openapi-support.ts` and `session-support.ts`; for keys of the
 * configuration, `config-support.ts` of the package turnpike.
 */
import { locateJson } from '../../lib/shape/locate-json.ts'
import type { JsonPath } from '../../lib/shape/shape.ts'
import type { Unsupported } from '../api-definition.ts'
import { effectOf } from '../support-status/support.ts'
import type { Finding, Severity } from './finding.ts'

export interface IneffectiveOptions {
  /** Path of the document in the text. Default: the document is the whole text. */
  readonly above?: JsonPath
  /** Fields that would have an effect elsewhere are errors (`strict` of the configuration). Default: false. */
  readonly strict?: boolean | undefined
}

/** Finds the places of the fields in the text. */
export function ineffectiveFindings(
  text: string,
  fields: readonly Unsupported[],
  { above = [], strict = false }: IneffectiveOptions = {},
): readonly Finding[] {
  return fields.map((field) => {
    const path = [...above, ...field.path]
    return {
      severity: severityOf(field, strict),
      path,
      message: effectOf(field),
      fix: field.instead,
      isIneffective: true,
      ...locateJson(text, path),
    }
  })
}

function severityOf({ status, changesRequests }: Unsupported, strict: boolean): Severity {
  if (status === 'stored') return 'note'
  return changesRequests || strict ? 'error' : 'warning'
}
