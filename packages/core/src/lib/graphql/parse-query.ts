/** Parses the text of a query with limits on its length, its tokens and its nesting, so that no query blocks the event loop. */
import { type DocumentNode, GraphQLError, Lexer, parse, Source, TokenKind } from 'graphql'
import type { QueryError } from './query-error.ts'

/** Characters of a query. */
const maxQueryLength = 256 * 1024
/** Parsing takes about 0.5 µs per token. */
const maxQueryTokens = 15_000
/** Nesting of selections, lists and objects in the text. */
const maxQueryNesting = 200

export type ParsedQuery =
  | { readonly document: DocumentNode; readonly error: undefined }
  | { readonly error: QueryError; readonly document: undefined }

export const noOperation: QueryError = { message: "document doesn't contain any executable operation" }

export function parseQuery(text: string): ParsedQuery {
  if (text.length > maxQueryLength) return rejected(`the query is longer than ${maxQueryLength} characters`)
  try {
    const source = new Source(text)
    const problem = checkTokens(source)
    if (problem !== undefined) return { error: problem, document: undefined }
    return { document: parse(source, { maxTokens: maxQueryTokens }), error: undefined }
  } catch (cause) {
    if (cause instanceof GraphQLError) return { error: syntaxErrorOf(cause), document: undefined }
    throw cause
  }
}

function rejected(message: string): ParsedQuery {
  return { error: { message }, document: undefined }
}

const opening: ReadonlySet<string> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L])
const closing: ReadonlySet<string> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R])

/** The parser recurses, so the nesting is counted before it runs. */
function checkTokens(source: Source): QueryError | undefined {
  const lexer = new Lexer(source)
  let tokens = 0
  let depth = 0
  for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
    if (++tokens > maxQueryTokens) return { message: `the query has more than ${maxQueryTokens} tokens` }
    if (closing.has(token.kind)) depth--
    else if (opening.has(token.kind) && ++depth > maxQueryNesting) {
      return { message: `the query nests deeper than ${maxQueryNesting} levels` }
    }
  }
  return tokens === 0 ? noOperation : undefined
}

function syntaxErrorOf({ message, locations }: GraphQLError): QueryError {
  const text = message.replace(/^Syntax Error: /, '')
  // A query that ends too early has no place that could be shown.
  if (text.includes('<EOF>')) {
    return { message: `unexpected token - got: EOF (${text})`, locations: [{ line: 0, column: 0 }] }
  }
  const places = (locations ?? []).map(({ line, column }) => ({ line, column }))
  return { message: `unexpected literal - got: UNDEFINED (${text})`, locations: places }
}
