/**
 * Parses JSON bodies with a limit on nesting, so that code that later recurses through the value does not overflow the
 * stack. `__proto__` in a body is an ordinary name here; code that copies the value must use a Map or hasOwn.
 */
import { utf8Text } from './utf8.ts'

/** Maximum nesting of lists and objects in a body. */
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

/** Counts brackets outside of strings. The count is exact for valid JSON; JSON.parse rejects anything else. */
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
