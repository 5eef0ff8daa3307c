/** Parses environment variables by the type of their key. Source: docs/reference/startup.md#environment-variables. */
import type { JsonSchema } from '@turnpike/core/lib'

type Parsed = { readonly value: unknown } | { readonly problem: string }

/** Lists are comma separated and maps are written `k1:v1,k2:v2`. Values with more levels are JSON text. */
export function parseEnvironmentValue(text: string, schema: JsonSchema): Parsed {
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'string') return { value: text }
  if (type === 'boolean') return booleanOf(text)
  if (type === 'integer' || type === 'number') return numberOf(text, type)
  if (type === 'array' && isPlain(schema.items)) return listOf(text, schema.items as JsonSchema)
  if (type === 'object' && schema.properties === undefined && isTextMap(schema)) return mapOf(text)
  return jsonOf(text)
}

function booleanOf(text: string): Parsed {
  const word = text.toLowerCase()
  if (word === 'true' || word === '1') return { value: true }
  if (word === 'false' || word === '0') return { value: false }
  return { problem: `must be true or false, is "${text}"` }
}

function numberOf(text: string, type: 'integer' | 'number'): Parsed {
  const value = Number(text)
  const good = text.trim() !== '' && (type === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value))
  return good ? { value } : { problem: `must be a ${type === 'integer' ? 'whole number' : 'number'}, is "${text}"` }
}

function listOf(text: string, item: JsonSchema): Parsed {
  const values: unknown[] = []
  for (const part of text === '' ? [] : text.split(',')) {
    const parsed = parseEnvironmentValue(part.trim(), item)
    if ('problem' in parsed) return parsed
    values.push(parsed.value)
  }
  return { value: values }
}

function mapOf(text: string): Parsed {
  const value: Record<string, string> = Object.create(null)
  for (const pair of text === '' ? [] : text.split(',')) {
    const colon = pair.indexOf(':')
    if (colon < 0) return { problem: `must be a list of name:value, but "${pair}" has no colon` }
    value[pair.slice(0, colon).trim()] = pair.slice(colon + 1).trim()
  }
  return { value }
}

function jsonOf(text: string): Parsed {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { problem: 'must be JSON text' }
  }
}

const isPlain = (schema: JsonSchema | undefined): boolean =>
  schema !== undefined && (schema.type === 'string' || schema.type === 'integer' || schema.type === 'number')

const isTextMap = (schema: JsonSchema): boolean =>
  typeof schema.additionalProperties === 'object' && schema.additionalProperties.type === 'string'
