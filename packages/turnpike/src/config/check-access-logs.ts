/** Checks `access_logs.template` for names that no line of the access log has. */
import { makeNote, type Note } from '@turnpike/core/definition'
import { nearestName } from '@turnpike/core/lib'
import { accessLogFieldNames } from '@turnpike/core/pipeline'
import type { GatewayConfig } from './config-shape.ts'

/** Fields that every line of the log has. A template may name them. */
const ofEveryLine = ['level', 'msg', 'prefix', 'time']

export function checkAccessLogs({ accessLogs }: Pick<GatewayConfig, 'accessLogs'>): Note[] {
  const known: readonly string[] = [...accessLogFieldNames, ...ofEveryLine]
  const notes: Note[] = []
  for (const [i, name] of (accessLogs.template ?? []).entries()) {
    if (known.includes(name)) continue
    const near = nearestName(name, known)
    const values = { name, known: accessLogFieldNames.join(', ') }
    notes.push(makeNote('unknown-log-field', ['access_logs', 'template', i], values, near))
  }
  return notes
}
