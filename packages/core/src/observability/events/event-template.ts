/**
 * Templates of web hooks: parsed when the hook is created, rendered per event. Values such as paths and keys come from
 * clients, and templates put them between quotes, so they are escaped before rendering.
 */
import { encodeField, isFormType } from '../../lib/form.ts'
import type { Sources } from '../../lib/template/sources.ts'
import { parseTemplate } from '../../lib/template/template.ts'
import { escapeHtml, escapeXml } from '../../lib/text/escape-markup.ts'
import type { GatewayEvent } from './event.ts'
import { eventFields } from './event-fields.ts'

export interface EventTemplate {
  readonly problem: undefined
  render(event: GatewayEvent): { readonly text: string; readonly problem: undefined } | { readonly problem: string }
}

/**
 * `contentType` decides how texts of the event are escaped: for JSON strings, XML, form values, and in every other type as
 * for HTML.
 */
export function compileEventTemplate(
  source: string,
  contentType: string,
  sources: Sources,
): EventTemplate | { readonly problem: string } {
  const template = parseTemplate(source)
  if (template.problem !== undefined) return { problem: template.problem.message }
  const withRequest = source.includes('OriginatingRequest') || /\.Meta\b(?!\.)/.test(source)
  const escapeText = escapeFor(contentType.toLowerCase())
  return {
    problem: undefined,
    render(event) {
      const rendered = template.render(escapeTexts(eventFields(event, withRequest), escapeText), { sources })
      return rendered.problem === undefined ? rendered : { problem: rendered.problem.message }
    },
  }
}

type Escape = (text: string) => string

function escapeFor(type: string): Escape {
  if (type.includes('json')) return (text) => JSON.stringify(text).slice(1, -1)
  if (isFormType(type)) return encodeField
  return type.includes('xml') ? escapeXml : escapeHtml
}

function escapeTexts(value: unknown, escapeText: Escape): unknown {
  if (typeof value === 'string') return escapeText(value)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, escapeTexts(member, escapeText)]))
}
