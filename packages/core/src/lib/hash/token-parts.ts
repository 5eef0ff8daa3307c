/** What a base64 name of a key says of itself. Names are free text, so nothing read here is to be trusted. */
import { decodeBase64 } from '../text/base64.ts'
import { strictUtf8Text } from '../text/utf8.ts'

export interface TokenParts {
  readonly org: string
  readonly id: string
  /** As written; may name a function that nobody knows. */
  readonly hashFunction: string
}

/** Longer texts are no names of keys, and decoding them would only cost. */
const longestName = 4096

/** The parts of a base64 name; `undefined` when the name is none: not `ey…`, not base64, not a JSON object. */
export function readTokenParts(name: string): TokenParts | undefined {
  if (!name.startsWith('ey') || name.length > longestName) return undefined
  const bytes = decodeBase64(name)
  const json = bytes === undefined ? undefined : strictUtf8Text(bytes)
  const parts = json === undefined ? undefined : parseObject(json)
  if (parts === undefined) return undefined
  return { org: textOf(parts.org), id: textOf(parts.id), hashFunction: textOf(parts.h) }
}

function parseObject(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
