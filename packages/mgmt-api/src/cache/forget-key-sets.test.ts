import { describe, expect, it } from 'vitest'
import { makeTestGateway } from '../../test/test-gateway.ts'

describe('DELETE /svc/cache/jwks', () => {
  it('forgets the key sets of one API, or of all; unknown ids are fine', async () => {
    const forgotten: (string | undefined)[] = []
    const gateway = await makeTestGateway({ management: { forgetKeySets: (id?: string) => void forgotten.push(id) } })
    for (const path of ['/svc/cache/jwks/any', '/svc/cache/jwks']) {
      const said = await gateway.call('DELETE', path)
      expect([said.status, said.text]).toEqual([200, '{"status":"ok","message":"cache invalidated"}\n'])
    }
    expect(forgotten).toEqual(['any', undefined])
  })

  it('is fine where none are kept', async () => {
    const gateway = await makeTestGateway({})
    expect((await gateway.call('DELETE', '/svc/cache/jwks')).status).toBe(200)
  })
})
