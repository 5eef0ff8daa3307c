/** Refuses a definition whose custom stages the gateway cannot make, because the reload would not load it. */
import {
  type ClassicDefinition,
  extensionOf,
  type Json,
  memberOf,
  printDefinition,
  printJsonPath,
} from '@turnpike/core'
import { failure, type Reply } from '../http/reply.ts'
import type { Call } from '../operation.ts'

/** `document`: the OpenAPI document from which the definition was derived. Returns `undefined` if nothing is wrong. */
export async function refuseStages(
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
