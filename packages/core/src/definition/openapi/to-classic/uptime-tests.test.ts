import { describe, expect, it } from 'vitest'
import { readHostChecks } from '../../../observability/uptime/host-check.ts'
import type { ApiDefinition } from '../../api-definition.ts'
import { toClassic } from './to-classic.ts'

const checksOf = (uptimeTests: unknown) => {
  const extension = {
    info: { id: 'u', name: 'u', state: { active: true } },
    server: { listenPath: { value: '/u/' } },
    upstream: { url: 'http://upstream.test', uptimeTests },
  }
  const classic = toClassic({ openapi: '3.0.3', paths: {} }, extension)
  if (classic.problem !== undefined) throw new Error(classic.problem)
  return readHostChecks({ document: classic.value } as ApiDefinition).checks
}

describe('uptime tests of a document', () => {
  const tests = [{ url: 'http://one.test/up', method: 'post', timeout: '1s500ms', headers: { 'X-A': '1' }, body: 'x' }]

  it('become checks of the classic definition', () => {
    expect(checksOf({ enabled: true, tests })).toMatchObject([
      { url: 'http://one.test/up', method: 'POST', timeoutMs: 1500, headers: ['x-a', '1'] },
    ])
  })

  it('become no checks if they are switched off or missing', () => {
    expect([checksOf({ enabled: false, tests }), checksOf(undefined)]).toEqual([[], []])
  })
})
