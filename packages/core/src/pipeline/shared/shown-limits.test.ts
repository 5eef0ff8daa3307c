import { describe, expect, it } from 'vitest'
import { definitionOf, makeTestEngine } from '../../../test/support/test-engine.ts'
import { headerOf } from '../../http/headers.ts'

const names = ['quota_limit', 'quota_remaining', 'quota_reset', 'rate_limit_limit', 'rate_limit_remaining']
const shown = Object.fromEntries([...names, 'rate_limit_reset'].map((name) => [`X-${name}`, `$svc_context.${name}`]))
const version = { name: 'Default', use_extended_paths: true, global_headers: shown }
const withVariables = (more: object) => ({
  enable_context_vars: true,
  version_data: { not_versioned: true, versions: { Default: version } },
  ...more,
})
const now = Date.UTC(2026, 0, 1) / 1000

async function valuesFor(definition: object, session?: object) {
  let seen: string[] = []
  const test = await makeTestEngine({
    definitions: [definitionOf('k', withVariables(definition))],
    upstream: async ({ headers }) => {
      seen = [...headers]
      return { kind: 'response', status: 200, headers: [], body: undefined, bodyLength: 0 }
    },
  })
  if (session !== undefined) await test.putKey('org1abcd', { access_rights: { k: { api_id: 'k' } }, ...session })
  await test.send('GET', '/k/x', session === undefined ? {} : { authorization: 'abcd' })
  return Object.keys(shown).map((name) => headerOf(seen, name.toLowerCase()))
}

const keyed = { use_keyless: false, auth: { auth_header_name: 'Authorization' } }

describe('context variables of limits', () => {
  it('contain quota and rate of the key, as the headers do', async () => {
    const limits = { org_id: 'org1', quota_max: 5, quota_renewal_rate: 60, rate: 3.5, per: 10 }
    const expected = ['5', '4', String(now + 60), '3', '2', String(now + 10)]
    expect(await valuesFor(keyed, limits)).toEqual(expected)
  })

  it('of a key without limits contain only its quota, as the headers do', async () => {
    const limits = { org_id: 'org1', quota_max: -1, quota_renews: 77 }
    expect(await valuesFor(keyed, limits)).toEqual(['-1', '0', '77', '', '', ''])
  })

  it('are empty without a key', async () => {
    expect(await valuesFor({})).toEqual(['', '', '', '', '', ''])
  })

  it('are empty if context variables are disabled', async () => {
    const limits = { org_id: 'org1', quota_max: 5, rate: 3, per: 10 }
    const definition = { ...keyed, enable_context_vars: false }
    expect(await valuesFor(definition, limits)).toEqual(['', '', '', '', '', ''])
  })
})
