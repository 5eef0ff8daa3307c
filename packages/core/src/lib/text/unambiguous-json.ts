/**
 * JSON of a client that every parser reads alike. The gateway checks a body, and the upstream parses the same bytes with
 * its own parser. A body is accepted only if both find the same values: UTF-8 without byte order mark, content coding or
 * another charset; no member twice in one object, because parsers take the first or the last; and no name that differs
 * only in case from one that is checked, because some parsers fold case. The schema of a body names its members, so
 * `lib/json-schema` compares their names.
 */

import { isJson } from '../json.ts'
import { jsonLimitProblem, maxJsonValues, type ReadJson } from './read-json.ts'
import { strictUtf8Text, utf8Text } from './utf8.ts'

/**
 * Reads a body. `headers`: names in lower case and values in turn. `parse`: `parseExactly` keeps the text of numbers.
 * `problem` says why the body is rejected.
 */
export function readUnambiguousJson(
  headers: readonly string[],
  body: Uint8Array,
  parse: (text: string) => unknown = JSON.parse,
): ReadJson {
  if (body.length === 0) return { problem: 'EOF' }
  const problem = codingProblem(headers) ?? jsonLimitProblem(body, maxJsonValues)
  if (problem !== undefined) return { problem }
  const text = unambiguousText(body)
  if (text === undefined) return { problem: 'the text must be UTF-8 without a byte order mark' }
  try {
    const value = parse(text)
    return hasRepeatedMember(text, value) ? { problem: repeated } : { value, problem: undefined }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

const repeated = 'a member occurs twice in one object; parsers take the first or the last, so send it once'

/** Why two readers could decode different texts from a body with these headers; `undefined`: all read UTF-8. */
export function codingProblem(headers: readonly string[]): string | undefined {
  const coding = valuesOf(headers, 'content-encoding').find((one) => !isPlainCoding(one))
  if (coding !== undefined)
    return `the content coding ${JSON.stringify(coding)} is not supported; send the body without`
  for (const type of valuesOf(headers, 'content-type')) {
    for (const [, charset = ''] of type.toLowerCase().matchAll(/charset\s*=\s*["']?([^;"'\s,]*)/g)) {
      if (!['utf-8', 'utf8', 'us-ascii'].includes(charset))
        return `the charset must be utf-8, not ${JSON.stringify(charset)}`
    }
  }
  return undefined
}

function valuesOf(headers: readonly string[], name: string): readonly string[] {
  return headers.filter((_, i) => i % 2 === 1 && headers[i - 1] === name)
}

function isPlainCoding(coding: string): boolean {
  const name = coding.trim().toLowerCase()
  return name === '' || name === 'identity'
}

/** Decodes a body; `undefined` if it is not UTF-8 or has a byte order mark, which the decoder would remove silently. */
export function unambiguousText(body: Uint8Array): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb) return undefined
  const text = utf8Text(body)
  // A replacement character may mean invalid bytes, so only then decode again strictly.
  return text.includes('\ufffd') ? strictUtf8Text(body) : text
}

/** Whether a member occurs twice in one object, with any spelling of its name. `value` is the parsed text. */
export function hasRepeatedMember(text: string, value: unknown): boolean {
  return writtenMembers(text) !== parsedMembers(value)
}

/** Each member has a colon outside of the strings. */
function writtenMembers(text: string): number {
  let count = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x3a) count++
    else if (code === 0x22)
      while (++i < text.length && text.charCodeAt(i) !== 0x22) if (text.charCodeAt(i) === 0x5c) i++
  }
  return count
}

function parsedMembers(root: unknown): number {
  let count = 0
  const open = [root]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (Array.isArray(value)) for (const item of value) open.push(item)
    else if (isJson(value)) {
      for (const name of Object.keys(value)) {
        count++
        open.push(value[name])
      }
    }
  }
  return count
}
