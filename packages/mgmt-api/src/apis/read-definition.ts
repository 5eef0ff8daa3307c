/** Parses and checks the definition in a body. Source: docs/reference/api-management.md#create-checks. */
import {
  type ClassicDefinition,
  classicShape,
  extensionOf,
  printDefinition,
  type Unsupported,
  unsupportedInDefinition,
  validateDefinition,
} from '@turnpike/core/definition'
import { type Json, memberOf, printJsonPath } from '@turnpike/core/lib'
import { readBody, rejectForeign, rejectOtherWord } from '../calls/read-body.ts'
import { rejectIneffective } from '../calls/warnings.ts'
import { failure, malformed, type Reply } from '../http/reply.ts'
import type { Call } from '../operation.ts'

type ReadDefinition =
  | { readonly value: ClassicDefinition; readonly ineffective: readonly Unsupported[]; readonly rejection?: undefined }
  | { readonly rejection: Reply }

/** `checkFirst` runs before validation, because the order of checks is part of the API. */
export async function readDefinition(
  call: Call,
  checkFirst: (document: ClassicDefinition) => Reply | undefined = () => undefined,
): Promise<ReadDefinition> {
  const { vendor } = call.management.settings
  const rejectOther = (value: unknown) => rejectForeign(value) ?? rejectOtherWord(value, vendor)
  const body = await readBody(call, classicShape, malformed, rejectOther)
  if (body.rejection) return body
  const rejection = checkFirst(body.value)
  if (rejection !== undefined) return { rejection }
  const reason = validateDefinition(body.value)
  const ineffective = [...body.unknown, ...unsupportedInDefinition(body.value)]
  const rejected = rejectIneffective(call, ineffective)
  if (rejected !== undefined) return { rejection: rejected }
  if (reason !== undefined) {
    return { rejection: failure(400, `Validation of API Definition failed. Reason: ${reason}.`) }
  }
  const unfit = await rejectStages(call, body.value)
  return unfit === undefined ? { value: body.value, ineffective } : { rejection: unfit }
}

/**
 * Rejects a definition whose custom stages the gateway cannot make, because the reload would not load it.
 * `document`: the OpenAPI document from which the definition was derived. Returns `undefined` if nothing is
 * wrong.
 */
export async function rejectStages(
  call: Call,
  definition: ClassicDefinition,
  document?: Json,
): Promise<Reply | undefined> {
  const { settings, findStageConfigProblem } = call.management
  const extension = document === undefined ? undefined : extensionOf(document, settings.vendor)
  const configs = [definition.stages, memberOf(extension, 'middleware', 'stages')]
  if (findStageConfigProblem === undefined || configs.every((config) => config === undefined || config === null)) {
    return undefined
  }
  const text = printDefinition(document === undefined ? { ...definition, isOas: false } : definition)
  const sidecar = document === undefined ? {} : { sidecar: JSON.stringify(document) }
  const problem = await findStageConfigProblem({ text, ...sidecar })
  return problem && failure(400, `${printJsonPath(problem.path)}: ${problem.message}`)
}
