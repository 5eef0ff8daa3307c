import { expect, it } from 'vitest'
import { checkSwitches } from './check-switches.ts'
import { configShape } from './config-shape.ts'

it.each([
  ['oauth_redirect_uri_prefix', { oauthRedirectUriPrefix: true }],
  ['session_proof', { sessionProof: 'recorded' as const }],
  ['cache_mode', { cacheMode: 'recorded' as const }],
  ['head_rules', { headRules: 'recorded' as const }],
  ['mcp_other_bodies', { mcpOtherBodies: 'pass' as const }],
])('warns where %s restores an unsafe behaviour, with a fix', (path, change) => {
  const config = { ...configShape.zero(), ...change }
  expect(checkSwitches(config)).toEqual([
    expect.objectContaining({ severity: 'warning', path: [path], fix: expect.stringMatching(/./) }),
  ])
})

it('has no warning for the defaults', () => {
  expect(checkSwitches(configShape.zero())).toEqual([])
})
