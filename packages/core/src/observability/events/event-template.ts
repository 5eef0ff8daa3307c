/**
 * Templates of web hooks: parsed when the hook is created, rendered per event. Values such as paths and keys come from
 * clients, and templates put them between quotes; for JSON bodies they are therefore escaped before rendering.
 */
import { parseTemplate } from '../../lib/template/template.ts'
import type { GatewayEvent } from './event.ts'
import { eventFields } from './event-fields.ts'

export interface EventTemplate {
  readonly problem: undefined
  render(event: GatewayEvent): { readonly text: string; readonly problem: undefined } | { readonly problem: string }
}

/** `json`: texts of the event are escaped for JSON strings. */
export function compileEventTemplate(source: string, json: boolean): EventTemplate | { readonly problem: string } {
  const template = parseTemplate(source)
  if (template.problem !== undefined) return { problem: template.problem.message }
  const withRequest = source.includes('OriginatingRequest') || /\.Meta\b(?!\.)/.test(source)
  return {
    problem: undefined,
    render(event) {
      const fields = eventFields(event, withRequest)
      const rendered = template.render(json ? escapeTexts(fields) : fields)
      return rendered.problem === undefined ? rendered : { problem: rendered.problem.message }
    },
  }
}

function escapeTexts(value: unknown): unknown {
  if (typeof value === 'string') return JSON.stringify(value).slice(1, -1)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, escapeTexts(member)]))
}
