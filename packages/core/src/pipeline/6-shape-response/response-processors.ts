/**
 * Which response processors a definition declares. Rules about answers act only where their processor is declared, as
 * the product document says; recorded gateways let them act anyway, which `undeclared_response_processors: "fire"`
 * brings back. OpenAPI documents need no declaration. Source: spec/decisions.md, spec/apis-and-pipeline.md 6.
 */
import type { CompileContext } from '../contract/stage.ts'

export type ProcessorName = 'header_injector' | 'response_body_transform' | 'header_transform'

/** Whether rules that belong to the processor act. */
export function firesFor(name: ProcessorName, { api, services }: CompileContext): boolean {
  const { responseProcessors, isOas } = api.document
  if (isOas || services.settings.undeclaredResponseProcessors === 'fire') return true
  return (responseProcessors ?? []).some((processor) => processor.name === name)
}

/** Options of every processor of that name, in the order of the definition; `{}` where there are none. */
export function processorOptions(name: ProcessorName, { api }: CompileContext): Readonly<Record<string, unknown>>[] {
  return (api.document.responseProcessors ?? [])
    .filter((processor) => processor.name === name)
    .map(({ options }) => (isObject(options) ? options : {}))
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
