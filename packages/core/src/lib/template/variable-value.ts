/**
 * Conversion of variable values: session metadata as text, texts escaped for URLs and bodies, and texts made safe for
 * header lines. Source: docs/reference/transforms.md#variables.
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

/** For rewrite targets and request bodies; absolute URLs stay unchanged. */
export function escapeVariable(value: string): string {
  return value.startsWith('http') ? value : encodeField(value)
}

/**
 * A header value is one line (RFC 9110 section 5.5), so characters that would end it become spaces. Tabs are allowed.
 */
export function headerSafe(value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression must find control characters
  return value.replace(/[\x00-\x08\x0a-\x1f\x7f]/g, ' ')
}
