/** Checks `access_logs.template` for names that no line of the access log has. */
import { nearestName } from '@turnpike/core/lib'
import { accessLogFieldNames } from '@turnpike/core/pipeline'
import { type ConfigNote, warning } from './config-note.ts'
import type { GatewayConfig } from './config-shape.ts'

/** Fields that every line of the log has. A template may name them. */
const ofEveryLine = ['level', 'msg', 'prefix', 'time']

export function checkAccessLogs({ accessLogs }: Pick<GatewayConfig, 'accessLogs'>): ConfigNote[] {
  const known: readonly string[] = [...accessLogFieldNames, ...ofEveryLine]
  const notes: ConfigNote[] = []
  for (const [i, name] of (accessLogs.template ?? []).entries()) {
    if (known.includes(name)) continue
    const near = nearestName(name, known)
    const fix = near === undefined ? `use ${accessLogFieldNames.join(', ')}` : `did you mean "${near}"?`
    notes.push(warning(['access_logs', 'template', i], `"${name}" is not a field of the access log`, fix))
  }
  return notes
}
