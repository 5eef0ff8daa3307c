import type { Signal } from '@turnpike/core/ports'
import { makeMemorySignals } from '@turnpike/core/store-memory'
import { describe, expect, it } from 'vitest'
import { makeTestGateway } from '../../test/test-gateway.ts'

describe('DELETE /svc/cache/{id}', () => {
  it('empties this node’s cache, then notifies the others; unknown ids are accepted', async () => {
    const happened: string[] = []
    const signals = makeMemorySignals()
    signals.subscribe(
      (signal: Signal) => void (signal.kind === 'cache-invalidated' && happened.push(`sent ${signal.apiId}`)),
    )
    const invalidateCache = (id: string) => void happened.push(`emptied ${id}`)
    const gateway = await makeTestGateway({ signals, management: { invalidateCache } })
    const said = await gateway.call('DELETE', '/svc/cache/any')
    expect([said.status, said.text]).toEqual([200, '{"status":"ok","message":"cache invalidated"}\n'])
    expect(happened).toEqual(['emptied any', 'sent any'])
  })

  it('says when it could not', async () => {
    const invalidateCache = () => Promise.reject(new Error('away'))
    const gateway = await makeTestGateway({ management: { invalidateCache } })
    expect(await gateway.call('DELETE', '/svc/cache/any')).toMatchObject({
      status: 500,
      json: { message: 'Cache invalidation failed' },
    })
  })
})
