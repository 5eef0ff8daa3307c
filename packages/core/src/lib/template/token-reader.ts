/** Reads the tokens of one action in order and reports unexpected ones. */
import type { Place } from './ast.ts'
import type { Token } from './lexer.ts'
import { TemplateError } from './template-problem.ts'

export interface TokenReader {
  /** Start of the action. */
  readonly at: Place
  peek(ahead?: number): Token | undefined
  next(): Token
  /** Consumes the next token if it is this sign. */
  takeSign(text: string): boolean
  isSign(text: string, ahead?: number): boolean
  takeWord(text: string): boolean
  /** Rejects remaining tokens of the action. */
  end(where: string): void
  unexpected(where: string): never
}

export function readTokens(tokens: readonly Token[], at: Place): TokenReader {
  let index = 0
  const peek = (ahead = 0) => tokens[index + ahead]
  const isSign = (text: string, ahead = 0) => {
    const token = peek(ahead)
    return token?.kind === 'sign' && token.text === text
  }
  const unexpected = (where: string): never => {
    const token = peek()
    throw new TemplateError(
      token === undefined ? `missing value in ${where}` : `unexpected ${describe(token)} in ${where}`,
      token?.at ?? at,
    )
  }
  return {
    at,
    peek,
    isSign,
    unexpected,
    next() {
      const token = tokens[index]
      if (token === undefined) throw new TemplateError('unexpected end of the action', at)
      index++
      return token
    },
    takeSign(text) {
      if (!isSign(text)) return false
      index++
      return true
    },
    takeWord(text) {
      const token = peek()
      if (token?.kind !== 'word' || token.text !== text) return false
      index++
      return true
    },
    end(where) {
      if (peek() !== undefined) unexpected(where)
    },
  }
}

function describe(token: Token): string {
  switch (token.kind) {
    case 'dot':
      return '"."'
    case 'field':
      return `".${token.text}"`
    case 'variable':
      return `"$${token.text}"`
    case 'constant':
      return typeof token.value === 'string' ? JSON.stringify(token.value) : String(token.value)
    default:
      return `"${token.text}"`
  }
}
