/**
 * Finds positions in a JSON text: the position of the value at a path, and the first syntax error. Used only for error
 * messages; documents are loaded with `JSON.parse`. The code does not recurse, so nesting depth is not limited.
 */
import type { JsonPath } from './shape.ts'

/** A position in a text. Line and column start at 1; columns are UTF-16 units. */
export interface Location {
  readonly line: number
  readonly column: number
}

/** A JSON syntax error and its position. */
export interface SyntaxProblem {
  readonly offset: number
  readonly message: string
}

interface Level {
  readonly kind: 'object' | 'list'
  /** Name of the member, or index of the item, that is being read. */
  step: string | number
}

type Visit = (levels: readonly Level[], offset: number) => void

const scalarToken =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in texts.
  /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/** The position of a value, or of its nearest existing parent. If a name is repeated, the last one counts. */
export function locateJson(text: string, path: JsonPath): Location {
  let bestDepth = -1
  let bestOffset = 0
  scan(text, (levels, offset) => {
    if (levels.length > path.length || levels.length < bestDepth) return
    for (let i = 0; i < levels.length; i++) if (levels[i]?.step !== path[i]) return
    bestDepth = levels.length
    bestOffset = offset
  })
  return locationAt(text, bestOffset)
}

/** The first syntax error; `undefined` if the text is valid JSON. */
export function findSyntaxProblem(text: string): SyntaxProblem | undefined {
  return scan(text, () => undefined)
}

/** Line and column of an offset. */
export function locationAt(text: string, offset: number): Location {
  let line = 1
  let lineStart = 0
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
    line++
    lineStart = at + 1
  }
  return { line, column: offset - lineStart + 1 }
}

/** Visits every value in order; stops at the first syntax error. */
function scan(text: string, visit: Visit): SyntaxProblem | undefined {
  const levels: Level[] = []
  let at = skipBlank(text, 0)
  for (;;) {
    // A value must begin here.
    visit(levels, at)
    const first = text[at]
    if (first === '{' || first === '[') {
      const inside = skipBlank(text, at + 1)
      const closing = first === '{' ? '}' : ']'
      if (text[inside] === closing) at = inside + 1
      else {
        levels.push({ kind: first === '{' ? 'object' : 'list', step: 0 })
        at = inside
        if (first === '{') {
          const name = readName(text, at, levels)
          if (typeof name !== 'number') return name
          at = name
        }
        continue
      }
    } else {
      scalarToken.lastIndex = at
      const token = scalarToken.exec(text)
      if (token === null) return syntaxProblem(text, at, 'a value')
      at += token[0].length
    }
    // A value has ended: close the containers that end with it, then continue with the next value.
    for (;;) {
      at = skipBlank(text, at)
      const level = levels.at(-1)
      if (level === undefined)
        return at === text.length ? undefined : syntaxProblem(text, at, 'the end of the document')
      const sign = text[at]
      if (sign === (level.kind === 'object' ? '}' : ']')) {
        levels.pop()
        at++
        continue
      }
      if (sign !== ',') return syntaxProblem(text, at, level.kind === 'object' ? '"," or "}"' : '"," or "]"')
      at = skipBlank(text, at + 1)
      if (level.kind === 'list') level.step = (level.step as number) + 1
      else {
        const name = readName(text, at, levels)
        if (typeof name !== 'number') return name
        at = name
      }
      break
    }
  }
}

/** Reads `"name":` and returns where its value begins. */
function readName(text: string, at: number, levels: readonly Level[]): number | SyntaxProblem {
  scalarToken.lastIndex = at
  const token = text[at] === '"' ? scalarToken.exec(text) : null
  if (token === null) return syntaxProblem(text, at, 'a name in double quotes')
  const level = levels.at(-1) as Level
  level.step = JSON.parse(token[0]) as string
  const colon = skipBlank(text, at + token[0].length)
  return text[colon] === ':' ? skipBlank(text, colon + 1) : syntaxProblem(text, colon, '":"')
}

function skipBlank(text: string, at: number): number {
  let i = at
  for (;;) {
    const code = text.charCodeAt(i)
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return i
    i++
  }
}

function syntaxProblem(text: string, offset: number, expected: string): SyntaxProblem {
  const found = offset >= text.length ? 'the text ends' : `there is ${JSON.stringify(text[offset])}`
  return { offset, message: `is not JSON: where ${expected} should be, ${found}` }
}
