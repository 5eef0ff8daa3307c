/**
 * Conversion of variable values: session metadata as text, and texts escaped for URLs and bodies. Source: docs/reference/transforms.md#variables.
 */
import { encodeField } from '../form.ts'

/** Metadata as text: lists joined by commas, objects as JSON, null empty. */
export function variableText(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(variableText).join(',')
  if (typeof value === 'object') return JSON.stringify(value)
  return String(value)
}

/** Escapes a value as one segment of a URL path. */
export function escapeForPath(value: string): string {
  return encodeField(value).replaceAll('+', '%20')
}

/** Escapes a value for the query of a URL: the value of one parameter. */
export function escapeForQuery(value: string): string {
  return encodeField(value)
}

/**
 * Escapes a value for a request body: as a query value, which is safe in JSON, XML and forms. In values that begin with
 * `http` only the characters are escaped that a URL cannot contain and that end a JSON or XML text, so that addresses
 * stay readable.
 */
export function escapeForBody(value: string): string {
  return value.startsWith('http') ? escapeUrlText(value).replaceAll("'", '%27') : encodeField(value)
}

/** Escapes characters that a URL cannot contain (RFC 3986 section 2). */
export function escapeUrlText(text: string): string {
  return text.toWellFormed().replace(/[^\x21-\x7e]|["<>\\^`{|}]/gu, encodeURIComponent)
}
