/**
 * `meta_data.rate_limit_pattern`: a text whose value replaces the name of the key as the subject of its counters, so
 * that keys with the same value share them. Source: docs/reference/quotas.md#rate-limit-pattern.
 */
import { cutVariables, pieceText, type VariableSource } from '../../lib/template/variable-text.ts'
import { variableText } from '../../lib/template/variable-value.ts'
import type { Session } from '../../ports/session.ts'

/** The subject of the counters; `undefined`, for an empty value as without a pattern: the key itself. */
export type CounterPattern =
  | { readonly kind: 'fixed'; readonly subject: string | undefined }
  /** The pattern contains variables of the request, so each request may have another subject. */
  | { readonly kind: 'by-request'; subjectFor(source: VariableSource): string | undefined }

export function counterPatternOf(session: Session, vendor: string): CounterPattern {
  const pattern = session.metaData?.rate_limit_pattern
  if (typeof pattern !== 'string') return { kind: 'fixed', subject: undefined }
  const meta: VariableSource = { contextText: () => '', metaText: (name) => metaText(session, name) }
  const pieces = cutVariables(pattern, { vendor: vendor.toLowerCase() }).map((piece) =>
    typeof piece === 'string' || piece.kind === 'context' ? piece : pieceText(piece, meta),
  )
  const subjectFor = (source: VariableSource): string | undefined => {
    const subject = pieces.map((piece) => (typeof piece === 'string' ? piece : pieceText(piece, source))).join('')
    return subject === '' ? undefined : subject
  }
  if (pieces.every((piece) => typeof piece === 'string')) return { kind: 'fixed', subject: subjectFor(meta) }
  return { kind: 'by-request', subjectFor }
}

function metaText({ metaData }: Session, name: string): string {
  return metaData !== null && Object.hasOwn(metaData, name) ? variableText(metaData[name]) : ''
}
