/** Fields that have no effect in this build, as `turnpike check` finds them. */
import type { Finding } from 'turnpike/embedding'
import type { Warning } from '../warning.ts'

/** `note` selects fields without which nothing is missing; the others can change what the files guarantee. */
export function fieldsWithoutEffect(findings: readonly Finding[], note: boolean): Warning[] {
  const chosen = findings.filter(({ ineffective, severity }) => ineffective && (severity === 'note') === note)
  return chosen.map(({ source, line, column, field, reason, fix = 'remove it' }) => ({
    kind: 'no-effect',
    source: line === undefined ? source : `${source}:${line}`,
    sentence: `${field} ${reason}`,
    fix,
    ...(line === undefined ? {} : { at: { file: source, line, column: column ?? 1 } }),
  }))
}
