import { makeFakeUpstream, makeVirtualClock } from '@turnpike/testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { createGateway } from './create-gateway.ts'
import { defineApi } from './define-api.ts'
import type { Gateway } from './gateway.ts'

const gateways: Gateway[] = []
afterEach(async () => {
  for (const gateway of gateways.splice(0)) await gateway.close(0)
})

const secret = 'the management key'
const more = { cache_options: { enable_cache: true, cache_all_safe_requests: true } }

async function makeGateway(config: object = {}) {
  const clock = makeVirtualClock()
  const upstream = makeFakeUpstream(clock, ({ index, path }) => ({
    body: [`hit ${index}`],
    delayMs: path.startsWith('/slow') ? 1000 : 0,
  }))
  const gateway = await createGateway({
    clock,
    upstream,
    log: 'silent',
    config: { secret, ...config },
    definitions: [
      defineApi({ id: 'c', target: 'http://up.test/', open: true, more }),
      defineApi({ id: 'c1', target: 'http://up.test/', open: true, more }),
    ],
  })
  gateways.push(gateway)
  const ask = async (url: string) => {
    const response = await gateway.inject(url)
    return { text: response.text(), cached: response.headers['x-svc-cached-response'] === '1' }
  }
  const empty = (id: string) =>
    gateway.inject({ method: 'DELETE', url: `/svc/cache/${id}`, headers: { 'x-svc-authorization': secret } })
  return { clock, ask, empty }
}

describe('DELETE /svc/cache/{id}', () => {
  it('holds when it is responded to, for exactly this API', async () => {
    const { ask, empty } = await makeGateway()
    await ask('/c/x')
    await ask('/c1/x')
    expect((await empty('c')).json()).toEqual({ status: 'ok', message: 'cache invalidated' })
    expect((await ask('/c/x')).cached).toBe(false)
    expect((await ask('/c1/x')).cached).toBe(true)
  })

  it('holds for responses that are under way', async () => {
    const { clock, ask, empty } = await makeGateway()
    const underWay = ask('/c/slow')
    await clock.run(500)
    await empty('c')
    await clock.run(600)
    expect(await underWay).toEqual({ text: 'hit 0', cached: false })
    const next = ask('/c/slow')
    await clock.run(1100)
    expect(await next).toEqual({ text: 'hit 1', cached: false })
  })

  it('is fine with APIs that nobody knows', async () => {
    const { empty } = await makeGateway()
    expect((await empty('nobody')).status).toBe(200)
  })
})

describe('cache.max_bytes', () => {
  it('of 0 switches the cache off', async () => {
    const { ask } = await makeGateway({ cache: { max_bytes: 0 } })
    await ask('/c/x')
    expect((await ask('/c/x')).cached).toBe(false)
  })
})
