/**
 * Values in the places where variables stand: metadata of a session as text, texts escaped for URLs and bodies, texts
 * made safe for header lines. Source: spec/apis-and-pipeline.md 4.4.
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

/** For rewrite targets and request bodies; whole addresses stay as they are. */
export function escapeVariable(value: string): string {
  return value.startsWith('http') ? value : encodeField(value)
}

/** A header value is one line (RFC 9110, 5.5): what would end it becomes a space. Tabs are allowed. */
export function headerSafe(value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to keep out
  return value.replace(/[\x00-\x08\x0a-\x1f\x7f]/g, ' ')
}
