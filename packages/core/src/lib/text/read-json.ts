/**
 * JSON of bodies: read with a bound on nesting, so that whatever walks the value later, by recursion too, does not
 * run out of stack. `__proto__` in a body is a name like any other here; who copies it must use a Map or hasOwn.
 */
import { utf8Text } from './utf8.ts'

/** Levels of lists and objects that a body may nest. */
export const maxJsonDepth = 1000

export type ReadJson = { readonly value: unknown; readonly problem: undefined } | { readonly problem: string }

export function readJson(body: Uint8Array): ReadJson {
  if (body.length === 0) return { problem: 'EOF' }
  if (nestsTooDeep(body)) return { problem: `exceeded max depth of ${maxJsonDepth}` }
  try {
    return { value: JSON.parse(utf8Text(body)) as unknown, problem: undefined }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

const quote = 0x22
const backslash = 0x5c

/** Counts brackets outside of strings; exact for valid JSON, and JSON.parse does not recurse on the rest. */
export function nestsTooDeep(body: Uint8Array): boolean {
  let depth = 0
  let inString = false
  for (let i = 0; i < body.length; i++) {
    const byte = body[i] as number
    if (inString) {
      if (byte === backslash) i++
      else if (byte === quote) inString = false
    } else if (byte === quote) inString = true
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > maxJsonDepth) return true
    } else if (byte === 0x7d || byte === 0x5d) depth--
  }
  return false
}
