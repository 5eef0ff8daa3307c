/** The configuration key `strict`: definitions with fields that have no effect are rejected. */
import type { ApiDefinition, Unsupported } from '../api-definition.ts'
import type { ServingProblem } from '../definition-problem.ts'
import { unsupportedInDefinition } from './definition-support.ts'
import { effectOf } from './support.ts'

/** Why a definition is rejected; `undefined`: every field has an effect, or none in any gateway. */
export function strictProblem({
  document,
  unknownFields = [],
}: Pick<ApiDefinition, 'document' | 'unknownFields'>): ServingProblem | undefined {
  return strictProblemOf([...unknownFields, ...unsupportedInDefinition(document)])
}

/** The first of the fields that is rejected. */
export function strictProblemOf(fields: readonly Unsupported[]): ServingProblem | undefined {
  const first = fields.find(({ status }) => status !== 'stored')
  if (first === undefined) return undefined
  return { path: first.path, message: `${effectOf(first)}; ${first.instead} ("strict" is on)` }
}
