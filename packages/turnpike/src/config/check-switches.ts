/** Warnings about switches that restore an unsafe recorded behaviour. Source: docs/security.md#switches. */
import { isAddressOrRange } from '@turnpike/core'
import type { ConfigNote } from './config-note.ts'
import type { GatewayConfig } from './config-shape.ts'

export function checkSwitches(config: GatewayConfig): ConfigNote[] {
  const notes: ConfigNote[] = []
  for (const [i, entry] of (config.trustedProxies ?? []).entries()) {
    if (isAddressOrRange(entry.trim())) continue
    notes.push({
      severity: 'error',
      path: ['trusted_proxies', i],
      reason: `"${entry}" is neither an address nor a network`,
      fix: 'use a form such as 10.0.0.7 or 10.0.0.0/8',
    })
  }
  if (config.sessionProof === 'recorded') {
    notes.push({
      severity: 'warning',
      path: ['session_proof'],
      reason: 'is "recorded", so that user names, key ids and certificate fingerprints work as API keys',
      fix: 'use "strict" as soon as no client depends on it',
    })
  }
  if (config.oauthRedirectUriPrefix) {
    notes.push({
      severity: 'warning',
      path: ['oauth_redirect_uri_prefix'],
      reason: 'is on, so that authorization codes can be sent to every URI below a registered one',
      fix: 'register the complete redirect URIs of each client and remove the key',
    })
  }
  if (config.detailedCredentials === 'recorded') {
    notes.push({
      severity: 'warning',
      path: ['detailed_credentials'],
      reason:
        'is "recorded", so that detailed analytics records and web hooks contain keys, passwords and cookies of clients',
      fix: 'use "mask" as soon as no reader depends on them',
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
  if (config.mcpOtherBodies === 'pass') {
    notes.push({
      severity: 'warning',
      path: ['mcp_other_bodies'],
      reason: 'is "pass", so that clients can bypass the rules for tools with another content type',
      fix: 'use "reject"',
    })
  }
  return notes
}

/** Whether clients can choose the address by which the gateway knows them. */
export function clientAddressesOf(config: GatewayConfig): 'any' | 'trusted' {
  return config.httpServerOptions.xffDepth > 0 || (config.trustedProxies ?? []).length > 0 ? 'trusted' : 'any'
}
