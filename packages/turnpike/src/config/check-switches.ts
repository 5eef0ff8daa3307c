/** Warnings about switches that restore an unsafe recorded behaviour. Source: docs/security.md#switches. */

import { isAddressOrRange, makeNote, type Note } from '@turnpike/core/definition'
import type { GatewayConfig } from './config-shape.ts'

/** Switches that are on: the key, what it does, and what to do instead. */
function switchesOf(config: GatewayConfig): (readonly [isOn: boolean, key: string, reason: string, fix: string])[] {
  return [
    [
      config.sessionProof === 'recorded',
      'session_proof',
      'is "recorded", so that user names, key ids and certificate fingerprints work as API keys',
      'use "strict" as soon as no client depends on it',
    ],
    [
      config.oauthRedirectUriPrefix,
      'oauth_redirect_uri_prefix',
      'is on, so that authorization codes can be sent to every URI below a registered one',
      'register the complete redirect URIs of each client and remove the key',
    ],
    [
      config.detailedCredentials === 'recorded',
      'detailed_credentials',
      'is "recorded", so that detailed analytics records and web hooks contain keys, passwords and cookies of clients',
      'use "mask" as soon as no reader depends on them',
    ],
    [
      config.enableHttpProfiler,
      'enable_http_profiler',
      'serves profiles of the process to anyone who reaches the management port',
      'switch it off when the profile is taken, or set control_api_port to a port that only operators reach',
    ],
    [
      config.cacheMode === 'recorded',
      'cache_mode',
      'is "recorded", so that clients get cached responses that were made for others',
      'use "compatible" or "rfc9111"',
    ],
    [
      config.headRules === 'recorded',
      'head_rules',
      'is "recorded", so that HEAD passes block lists, rate limits and validation for GET',
      'use "compatible", or add rules for HEAD',
    ],
    [
      config.mcpOtherBodies === 'pass',
      'mcp_other_bodies',
      'is "pass", so that clients can bypass the rules for tools with another content type',
      'use "reject"',
    ],
  ]
}

export function checkSwitches(config: GatewayConfig): Note[] {
  const notes: Note[] = []
  for (const [i, entry] of (config.trustedProxies ?? []).entries()) {
    if (isAddressOrRange(entry.trim())) continue
    notes.push(makeNote('invalid-trusted-proxy', ['trusted_proxies', i], { entry }))
  }
  for (const [isOn, key, reason, fix] of switchesOf(config)) {
    if (isOn) notes.push(makeNote('unsafe-switch', [key], { reason, fix }))
  }
  return notes
}

/** Whether clients can choose the address by which the gateway knows them. */
export function clientAddressesOf(config: GatewayConfig): 'any' | 'trusted' {
  return config.httpServerOptions.xffDepth > 0 || (config.trustedProxies ?? []).length > 0 ? 'trusted' : 'any'
}
