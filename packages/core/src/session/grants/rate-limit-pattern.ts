/**
 * `meta_data.rate_limit_pattern`: a text whose value takes the key's place in the names of its counters, so that keys
 * with the same value share them. Source: spec/sessions-and-limits.md 5.2.
 */
import { cutVariables, pieceText, type VariableSource } from '../../lib/template/variable-text.ts'
import { variableText } from '../../lib/template/variable-value.ts'
import type { Session } from '../../ports/session.ts'

/** What stands in place of the key; an empty value, like no pattern at all, leaves the key itself. */
export type CounterPattern =
  | { readonly kind: 'fixed'; readonly key: string | undefined }
  /** Variables of the request stand in it, so each request may count elsewhere. */
  | { readonly kind: 'by-request'; keyFor(source: VariableSource): string | undefined }

export function counterPatternOf(session: Session, vendor: string): CounterPattern {
  const pattern = session.metaData?.rate_limit_pattern
  if (typeof pattern !== 'string') return { kind: 'fixed', key: undefined }
  const meta: VariableSource = { contextText: () => '', metaText: (name) => metaText(session, name) }
  const pieces = cutVariables(pattern, { vendor: vendor.toLowerCase() }).map((piece) =>
    typeof piece === 'string' || piece.kind === 'context' ? piece : pieceText(piece, meta),
  )
  const keyFor = (source: VariableSource): string | undefined => {
    const key = pieces.map((piece) => (typeof piece === 'string' ? piece : pieceText(piece, source))).join('')
    return key === '' ? undefined : key
  }
  if (pieces.every((piece) => typeof piece === 'string')) return { kind: 'fixed', key: keyFor(meta) }
  return { kind: 'by-request', keyFor }
}

function metaText({ metaData }: Session, name: string): string {
  return metaData !== null && Object.hasOwn(metaData, name) ? variableText(metaData[name]) : ''
}
