/**
 * Which response processors a definition declares. Rules for responses apply only if their processor is declared;
 * `undeclared_response_processors: "fire"` applies them anyway, as the original gateway does. OpenAPI documents need no
 * declaration (docs/reference/transforms.md#response-processors, docs/differences.md#response-chain).
 */
import type { CompileContext } from '../contract/stage.ts'

export type ProcessorName = 'header_injector' | 'response_body_transform' | 'header_transform'

/** Returns true if the rules of the processor apply. */
export function firesFor(name: ProcessorName, { api, services }: CompileContext): boolean {
  const { responseProcessors, isOas } = api.document
  if (isOas || services.settings.undeclaredResponseProcessors === 'fire') return true
  return (responseProcessors ?? []).some((processor) => processor.name === name)
}

/** Returns the options of every processor of that name, in the order of the definition; `{}` if it has none. */
export function processorOptions(name: ProcessorName, { api }: CompileContext): Readonly<Record<string, unknown>>[] {
  return (api.document.responseProcessors ?? [])
    .filter((processor) => processor.name === name)
    .map(({ options }) => (isObject(options) ? options : {}))
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
