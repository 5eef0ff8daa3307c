/**
 * Which response processors a definition declares. Rules for responses apply only if their processor is declared;
 * `undeclared_response_processors: "fire"` applies them anyway, as the original gateway does. OpenAPI documents need no
 * declaration (docs/reference/transforms.md#response-processors, docs/differences.md#response-chain).
 */
import type { processorNames } from '../../definition/classic.ts'
import { type Json, objectOf } from '../../lib/json.ts'
import type { CompileContext } from '../contract/stage.ts'

type ProcessorName = (typeof processorNames)[number]

/** Returns true if the rules of the processor apply. */
export function firesFor(name: ProcessorName, { api, services }: CompileContext): boolean {
  const { responseProcessors, isOas } = api.document
  if (isOas || services.settings.undeclaredResponseProcessors === 'fire') return true
  return (responseProcessors ?? []).some((processor) => processor.name === name)
}

/** Returns the options of every processor of that name, in the order of the definition; `{}` if it has none. */
export function processorOptions(name: ProcessorName, { api }: CompileContext): Json[] {
  return (api.document.responseProcessors ?? [])
    .filter((processor) => processor.name === name)
    .map(({ options }) => objectOf(options))
}
