/**
 * `rewrite_to`: a URL with placeholders for groups of the match (`$1`) and for variables, split into pieces once.
 * Inserted values are not expanded again, and characters that a URL cannot contain are escaped, so that no client can
 * inject a line break into the request line (docs/reference/transforms.md#url-rewrite).
 */
import type { Re2Match } from '../../lib/regex/re2.ts'
import { cutVariables, pieceText, type VariablePiece, type VariableSource } from '../../lib/template/variable-text.ts'
import { escapeVariable } from '../../lib/template/variable-value.ts'
import type { CompileContext } from '../contract/stage.ts'
import { variableWords } from '../shared/variables-of.ts'

/** Returns the URL for a match. */
export type RewriteTarget = (match: Re2Match, source: VariableSource) => string

type Piece = VariablePiece | { readonly kind: 'group'; readonly index: number; readonly written: string }

export function compileRewriteTarget(text: string, compileContext: CompileContext): RewriteTarget {
  const pieces = cutVariables(text, variableWords(compileContext)).flatMap((piece): Piece[] =>
    typeof piece === 'string' ? cutGroups(piece) : [piece],
  )
  return (match, source) => {
    let url = ''
    for (const piece of pieces) {
      if (typeof piece === 'string') url += piece
      else if (piece.kind !== 'group') url += pieceText(piece, source, escapeVariable)
      // A number without a group stays as written.
      else url += piece.index < match.groups.length ? (match.groups[piece.index] ?? '') : piece.written
    }
    return escapeTarget(url)
  }
}

function cutGroups(text: string): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (const match of text.matchAll(/\$(\d+)/g)) {
    if (match.index > from) pieces.push(text.slice(from, match.index))
    pieces.push({ kind: 'group', index: Number(match[1]), written: match[0] })
    from = match.index + match[0].length
  }
  if (from < text.length) pieces.push(text.slice(from))
  return pieces
}

/** Escapes characters that a URL cannot contain, and percent signs without two hex digits (RFC 3986 section 2). */
function escapeTarget(url: string): string {
  return url
    .toWellFormed()
    .replace(/[^\x21-\x7e]|["<>\\^`{|}]/gu, encodeURIComponent)
    .replace(/%(?![0-9a-fA-F]{2})/g, '%25')
}
