/** Warnings about switches that restore an unsafe recorded behaviour. Source: docs/security.md#switches. */
import type { ConfigNote } from './config-note.ts'
import type { GatewayConfig } from './config-shape.ts'

export function checkSwitches(config: GatewayConfig): ConfigNote[] {
  const notes: ConfigNote[] = []
  if (config.sessionProof === 'recorded') {
    notes.push({
      severity: 'warning',
      path: ['session_proof'],
      reason: 'is "recorded", so that user names, key ids and certificate fingerprints work as API keys',
      fix: 'use "strict" as soon as no client depends on it',
    })
  }
  if (config.enableHttpProfiler) {
    notes.push({
      severity: 'warning',
      path: ['enable_http_profiler'],
      reason: 'serves profiles of the process to anyone who reaches the management port',
      fix: 'switch it off when the profile is taken, or set control_api_port to a port that only operators reach',
    })
  }
  return notes
}
