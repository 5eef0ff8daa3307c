/**
 * `meta_data.rate_limit_pattern`: a template whose value replaces the key name as the subject of the key's counters, so
 * that keys with the same value share counters. Source: docs/reference/quotas.md#rate-limit-pattern.
 */

import { variableText } from '../../lib/template/escape-variable.ts'
import { cutVariables, pieceText, type VariableSource } from '../../lib/template/variable-text.ts'
import type { Session } from '../../ports/session.ts'

/** The subject of the counters. `undefined`, without a pattern or with an empty value: the key itself. */
export type CounterPattern =
  | { readonly kind: 'fixed'; readonly subject: string | undefined }
  /** The pattern contains variables of the request, so the subject can differ between requests. */
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
