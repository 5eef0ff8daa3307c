/**
 * Parses JSON bodies with a limit on nesting, so that code that later recurses through the value does not overflow the
 * stack. `__proto__` in a body is an ordinary name here; code that copies the value must use a Map or hasOwn.
 */
import { type NumberRule, parseExactly } from './json-number.ts'
import { utf8Text } from './utf8.ts'

/** Maximum nesting of lists and objects in a body. */
export const maxJsonDepth = 1000

/**
 * Maximum number of values in a body. JSON.parse and the code behind it need up to 0.4 µs for each, and no body may
 * block the event loop for more than 50 ms.
 */
export const maxJsonValues = 100_000

export type ReadJson = { readonly value: unknown; readonly problem: undefined } | { readonly problem: string }

export function readJson(body: Uint8Array): ReadJson {
  return readWith(body, JSON.parse)
}

/** As `readJson`, but numbers keep their text (`json-number.ts`). */
export function readExactJson(body: Uint8Array, rule?: NumberRule): ReadJson {
  return readWith(body, (text) => parseExactly(text, rule))
}

function readWith(body: Uint8Array, parse: (text: string) => unknown): ReadJson {
  if (body.length === 0) return { problem: 'EOF' }
  const problem = jsonLimitProblem(body)
  if (problem !== undefined) return { problem }
  try {
    return { value: parse(utf8Text(body)), problem: undefined }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

/** Maximum members of one object. An object with many different names costs some µs for each, and a list only 0.1 µs. */
export const maxObjectMembers = 20_000

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a

/** Counts brackets and commas outside of strings. The counts are exact for valid JSON; JSON.parse rejects anything else. */
export function jsonLimitProblem(body: Uint8Array, maxValues = maxJsonValues): string | undefined {
  let depth = 0
  let values = 1
  let inString = false
  const members = new Uint32Array(maxJsonDepth + 1)
  for (let i = 0; i < body.length; i++) {
    const byte = body[i] as number
    if (inString) {
      if (byte === backslash) i++
      else if (byte === quote) inString = false
    } else if (byte === quote) inString = true
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > maxJsonDepth) return `exceeded max depth of ${maxJsonDepth}`
      values++
      members[depth] = 0
    } else if (byte === 0x7d || byte === 0x5d) depth--
    else if (byte === comma) values++
    else if (byte === colon && depth > 0) {
      members[depth] = (members[depth] as number) + 1
      if ((members[depth] as number) > maxObjectMembers) return `exceeded max number of ${maxObjectMembers} members`
    }
  }
  return values > maxValues ? `exceeded max number of ${maxValues} values` : undefined
}
