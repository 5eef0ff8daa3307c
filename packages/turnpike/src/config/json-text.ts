/**
 * Reading JSON texts that people write. The good path is `JSON.parse`; only when something is wrong is the text
 * gone through once more, to say where.
 */
import { findNodeAtLocation, type ParseError, parse, parseTree, printParseErrorCode } from 'jsonc-parser'

export interface Position {
  /** Both counted from 1. */
  readonly line: number
  readonly column: number
}

export type JsonText =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly at: Position; readonly reason: string }

/** Parses strict JSON: comments and trailing commas are errors, told with their place. */
export function readJsonText(text: string): JsonText {
  const withoutMark = text.startsWith('\uFEFF') ? text.slice(1) : text
  try {
    return { ok: true, value: JSON.parse(withoutMark) }
  } catch (cause) {
    const errors: ParseError[] = []
    parse(withoutMark, errors, { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false })
    const first = errors[0]
    if (first === undefined) return { ok: false, at: { line: 1, column: 1 }, reason: `is not JSON: ${String(cause)}` }
    return { ok: false, at: positionAt(withoutMark, first.offset), reason: `is not JSON: ${wordsOf(first)}` }
  }
}

/** Where the value at a path stands; the nearest value around it when the path is not there. */
export function positionOf(text: string, path: readonly (string | number)[]): Position | undefined {
  const root = parseTree(text)
  if (root === undefined) return undefined
  for (let length = path.length; length >= 0; length--) {
    const node = findNodeAtLocation(root, path.slice(0, length))
    if (node === undefined) continue
    const named = node.parent?.type === 'property' ? node.parent : node
    return positionAt(text, named.offset)
  }
  return undefined
}

/** A path as people write it: `storage.addrs[0]`. */
export function tellPath(path: readonly (string | number)[]): string {
  return path.map((part, i) => (typeof part === 'number' ? `[${part}]` : i === 0 ? part : `.${part}`)).join('')
}

function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset)
  const lineStart = before.lastIndexOf('\n') + 1
  return { line: before.split('\n').length, column: offset - lineStart + 1 }
}

const words: Readonly<Record<string, string>> = {
  InvalidSymbol: 'a word that JSON does not know (texts stand in double quotes)',
  InvalidNumberFormat: 'a broken number',
  PropertyNameExpected: 'a name in double quotes is expected here (a comma too many?)',
  ValueExpected: 'a value is expected here (a comma too many?)',
  ColonExpected: 'a colon is expected here',
  CommaExpected: 'a comma is missing before this',
  CloseBraceExpected: 'the closing } is missing',
  CloseBracketExpected: 'the closing ] is missing',
  EndOfFileExpected: 'there is more text behind the end',
  InvalidCommentToken: 'JSON has no comments',
  UnexpectedEndOfComment: 'JSON has no comments',
  UnexpectedEndOfString: 'the closing " is missing',
  InvalidUnicode: 'a broken \\u escape',
  InvalidEscapeCharacter: 'an unknown \\ escape',
  InvalidCharacter: 'a control character inside of a text',
}

function wordsOf(error: ParseError): string {
  const code = printParseErrorCode(error.error)
  return words[code] ?? code
}
