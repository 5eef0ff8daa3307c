/** Parses and checks the definition in a body. Source: docs/reference/api-management.md#create-checks. */
import {
  type ClassicDefinition,
  classicShape,
  type Unsupported,
  unsupportedInDefinition,
  validateDefinition,
} from '@turnpike/core'
import { readBody } from '../http/read-body.ts'
import { failure, type Reply } from '../http/reply.ts'
import { refuseIneffective } from '../http/warnings.ts'
import { malformed } from '../keys/key-reply.ts'
import type { Call } from '../operation.ts'
import { refuseStages } from './refuse-stages.ts'

export type ReadDefinition =
  | { readonly value: ClassicDefinition; readonly ineffective: readonly Unsupported[]; readonly refusal?: undefined }
  | { readonly refusal: Reply }

/** `checkFirst` runs before validation, because the order of checks is part of the API. */
export async function readDefinition(
  call: Call,
  checkFirst: (document: ClassicDefinition) => Reply | undefined = () => undefined,
): Promise<ReadDefinition> {
  const body = await readBody(call, classicShape, malformed)
  if (body.refusal) return body
  const refusal = checkFirst(body.value)
  if (refusal !== undefined) return { refusal }
  const reason = validateDefinition(body.value)
  const ineffective = [...body.unknown, ...unsupportedInDefinition(body.value)]
  const refused = refuseIneffective(call, ineffective)
  if (refused !== undefined) return { refusal: refused }
  if (reason !== undefined) {
    return { refusal: failure(400, `Validation of API Definition failed. Reason: ${reason}.`) }
  }
  const unfit = await refuseStages(call, body.value)
  return unfit === undefined ? { value: body.value, ineffective } : { refusal: unfit }
}
