/**
 * Queries and forms (WHATWG URL, application/x-www-form-urlencoded), except that percent-escapes that are not valid
 * UTF-8 stay escaped. Why this is not `URLSearchParams`: docs/decisions/0016-parsers-of-our-own.md.
 */
import { decodePercent, decodeStrictly } from './text/percent.ts'

export type FormPairs = readonly (readonly [name: string, value: string])[]

/** Values by name, in the order of the text. */
export type FormFields = ReadonlyMap<string, readonly string[]>

/** Fields beyond this number are ignored, so that a body of a few megabytes cannot create a million entries. */
const maxFields = 10_000

/** Names and values in the order of the text; a name without `=` has an empty value. */
export function formPairs(text: string): FormPairs {
  return text
    .split('&', maxFields)
    .filter((field) => field !== '')
    .map((field) => {
      const equals = field.indexOf('=')
      return equals === -1 ? [decode(field), ''] : [decode(field.slice(0, equals)), decode(field.slice(equals + 1))]
    })
}

function decode(text: string): string {
  return decodePercent(text.includes('+') ? text.replaceAll('+', ' ') : text)
}

export const formType = 'application/x-www-form-urlencoded'
const formTypePattern = /^\s*application\/x-www-form-urlencoded(?![^\s;,])/i

/** Returns true for the content type of a form, with any parameters. */
export function isFormType(contentType: string | undefined): boolean {
  return contentType !== undefined && formTypePattern.test(contentType)
}

/** The fields of several texts, as if they were one. */
export function formFields(...texts: readonly string[]): FormFields {
  const fields = new Map<string, string[]>()
  for (const [name, value] of formPairs(texts.join('&'))) {
    const values = fields.get(name)
    if (values === undefined) fields.set(name, [value])
    else values.push(value)
  }
  return fields
}

/** First value of a query parameter; empty when the parameter is missing. */
export function parameterOf(query: string, name: string): string {
  return formPairs(query).find((pair) => pair[0] === name)?.[1] ?? ''
}

/** The decoded name of a single field such as `a=1`. */
export function nameOfField(field: string): string {
  return formPairs(field)[0]?.[0] ?? ''
}

/** The query without the parameter; all other bytes stay as they are. */
export function withoutParameter(query: string, name: string): string {
  return query
    .split('&')
    .filter((field) => nameOfField(field) !== name)
    .join('&')
}

/** The query with its fields in the order of their names; the fields stay as they are. */
export function sortedByName(query: string): string {
  const fields = query.split('&').filter((field) => field !== '')
  const names = new Map(fields.map((field) => [field, nameOfField(field)]))
  const nameOf = (field: string) => names.get(field) as string
  return fields.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : 0)).join('&')
}

/** Decodes a form or a part of one; returns `undefined` if an escape is incomplete or not valid UTF-8. */
export function decodeFieldStrictly(text: string): string | undefined {
  return decodeStrictly(text.replaceAll('+', ' '))
}

/** Encodes a name or value: letters, digits and `-_.~` stay, a space becomes a plus sign, the rest is escaped. */
export function encodeField(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+')
}
