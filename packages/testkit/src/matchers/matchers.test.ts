import { makeInjectedRequest } from '@turnpike/core/engine'
import { describe, expect, it } from 'vitest'
import { patchLimit } from '../mutants/mutant.ts'
import { rollingLogProperty } from '../properties/property-01-rolling-log.ts'
import { compatibleRate } from '../properties/subjects/compatible-rates.ts'
import { makeTestEngine } from '../properties/subjects/test-engine.ts'
import './matchers.ts'

const seen = [0, 10, 20, 999, 1000].map((at) => ({ at, status: 200 }))

describe('toAdmitAtMost(n).inAny(ms)', () => {
  it('holds where no window admits more', () => {
    expect(seen).toAdmitAtMost(4).inAny(1000)
    expect(seen).toAdmitAtMost(5).inAny(1001)
    expect([...seen, { at: 5, status: 429 }, { at: 6, allowed: false }])
      .toAdmitAtMost(4)
      .inAny(1000)
  })
  it('holds for the empty list, to which fast-check shrinks', () => {
    expect([]).toAdmitAtMost(0).inAny(1000)
  })
  it('reports the window that admits more', () => {
    expect(() => expect(seen).toAdmitAtMost(3).inAny(1000)).toThrow('4 are admitted in the 1000 ms after')
    expect(seen).not.toAdmitAtMost(3).inAny(1000)
    expect(() => expect(seen).not.toAdmitAtMost(4).inAny(1000)).toThrow('no more than 4')
  })
})

describe('toBeRejectedBy(stage)', async () => {
  const { engine } = await makeTestEngine({
    definitions: [
      {
        name: 'a',
        api_id: 'a',
        org_id: 'org1',
        active: true,
        auth: { auth_header_name: 'Authorization' },
        version_data: { not_versioned: true, versions: { Default: { name: 'Default' } } },
        proxy: { listen_path: '/a/', target_url: 'http://upstream.test', strip_listen_path: true },
      },
    ],
    keys: { org1red: { org_id: 'org1', access_rights: { a: { api_id: 'a' } }, rate: 1, per: 60, quota_max: -1 } },
  })
  const explain = (authorization: string) =>
    engine.explain(makeInjectedRequest({ url: '/a/x', headers: { authorization } }), false, () => 0)

  it('names the stage that ended a request', async () => {
    expect(await explain('org1blue')).toBeRejectedBy('auth-token')
    expect(await explain('org1red')).not.toBeRejectedBy('key-limits')
    expect(await explain('org1red')).toBeRejectedBy('key-limits')
  })
  it('reports which other stage ended it', async () => {
    const explained = await explain('org1blue')
    expect(() => expect(explained).toBeRejectedBy('key-limits')).toThrow('auth-token rejected it')
  })
})

describe('toKeep(property)', () => {
  it('passes if the property holds, and reports the trace that violates it', async () => {
    await expect(compatibleRate('rolling')).toKeep(rollingLogProperty, { requests: 500 })
    const wrong = patchLimit(compatibleRate('rolling'), ({ rate, per }) => ({ rate: rate + 1, per }))
    await expect(wrong).not.toKeep(rollingLogProperty, { requests: 5000 })
    await expect(expect(wrong).toKeep(rollingLogProperty, { requests: 5000 })).rejects.toThrow('repeat with { seed: ')
  })
})
