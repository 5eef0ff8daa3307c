/**
 * `rewrite_to`: a URL with placeholders for groups of the match (`$1`) and for variables, split into pieces once.
 * Inserted values are not expanded again, and characters that a URL cannot contain are escaped, so that no client can
 * inject a line break into the request line (docs/reference/transforms.md#url-rewrite).
 */
import { escapeForPath, escapeForQuery } from '../../lib/template/escape-variable.ts'
import { cutVariables, pieceText, type VariablePiece, type VariableSource } from '../../lib/template/variable-text.ts'
import { hasDotSegments } from '../../route/hidden-segments.ts'
import type { CompileContext } from '../contract/stage.ts'
import { type LoopControls, readLoopControls } from '../shared/parse-loop-target.ts'
import { escapeUrl } from '../shared/replace-request.ts'
import { variableWords } from '../shared/variable-values.ts'

export interface RewriteTarget {
  /** Returns the URL for the groups of a match; `undefined` if a value would add dot segments to the path. */
  urlOf(groups: readonly (string | undefined)[], source: VariableSource): string | undefined
  /** What the definition's text says about loops. A client cannot add to it by its query. */
  readonly controls: LoopControls
}

type Piece = VariablePiece | { readonly kind: 'group'; readonly index: number; readonly written: string }

export function compileRewriteTarget(text: string, compileContext: CompileContext): RewriteTarget {
  const pieces = cutVariables(text, variableWords(compileContext)).flatMap((piece): Piece[] =>
    typeof piece === 'string' ? cutGroups(piece) : [piece],
  )
  const isWholeTarget = pieces.length === 1
  const urlOf: RewriteTarget['urlOf'] = (groups, source) => {
    let url = ''
    let written = ''
    for (const piece of pieces) {
      if (typeof piece === 'string') {
        url += piece
        written += piece
      } else if (piece.kind === 'group') {
        // A number without a group stays as written.
        url += piece.index < groups.length ? (groups[piece.index] ?? '') : piece.written
      } else url += pieceText(piece, source, escapeFor(url, isWholeTarget))
    }
    const made = escapeUrl(url)
    return hasDotSegments(pathOf(made)) && !hasDotSegments(pathOf(written)) ? undefined : made
  }
  return {
    urlOf,
    controls: readLoopControls(pieces.map((piece) => (typeof piece === 'string' ? piece : valueMark)).join('')),
  }
}

/** Placeholder for a value of the request. A control that contains it is ignored. */
const valueMark = '\u0000'

/** A variable that is the whole target can be a URL; otherwise its position decides how it is escaped. */
function escapeFor(before: string, isWholeTarget: boolean): (value: string) => string {
  if (before.includes('?')) return escapeForQuery
  return isWholeTarget ? (value) => (value.startsWith('http') ? value : escapeForPath(value)) : escapeForPath
}

const pathOf = (url: string) => url.split('?', 1)[0] as string

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
