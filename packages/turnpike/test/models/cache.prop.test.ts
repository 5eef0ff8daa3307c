/** Model of the response cache: no request gets a response that the upstream made before an acknowledged invalidation. */
import type { Store } from '@turnpike/core/ports'
import fc from 'fast-check'
import { defineApi } from 'turnpike'
import { describe, expect, it } from 'vitest'
import { checkModel, makeScheduledGateway, secret, withOperations } from './scheduled-gateway.ts'

type Command = 'change' | 'get'

async function checkCache(breakStore?: (store: Store) => Store): Promise<number> {
  let hits = 0
  await checkModel(fc.constantFrom<Command>('change', 'change', 'get', 'get', 'get'), async (scheduler, commands) => {
    let state = 1
    let acknowledged = 1
    const { gateway, upstream, manage, runAll } = await makeScheduledGateway(scheduler, {
      config: { secret },
      definitions: [
        {
          ...defineApi({ id: 'shop', target: 'http://upstream.test/', open: true }),
          cache_options: { enable_cache: true, cache_timeout: 3600, cache_all_safe_requests: true },
        },
      ],
      breakStore,
      bodyOf: () => String(state),
    })
    const run: Record<Command, () => Promise<void>> = {
      /** The upstream changes, then its owner invalidates the cache. */
      async change() {
        const made = ++state
        expect((await manage('DELETE', '/svc/cache/shop')).status).toBe(200)
        acknowledged = Math.max(acknowledged, made)
      },
      async get() {
        const atLeast = acknowledged
        const response = await gateway.inject('/shop/x')
        expect(response.status).toBe(200)
        expect(Number(response.text())).toBeGreaterThanOrEqual(atLeast)
      },
    }
    await runAll(commands.map((command) => run[command]))
    hits += commands.filter((command) => command === 'get').length - upstream.requests.length
    await run.get()
    await gateway.close(0)
  })
  return hits
}

describe('invalidations of the cache during requests', () => {
  it('follow the model, and the cache is used', async () => {
    expect(await checkCache()).toBeGreaterThan(20)
  })

  it.each<[string, (store: Store) => Store]>([
    [
      'a response is stored with the version at its end',
      (store) =>
        withOperations(store, 'responses', (inner) => ({
          put: async (api, name, response, ms) => inner.put(api, name, response, ms, await inner.version(api)),
        })),
    ],
    [
      'an invalidation takes effect after the next lookup',
      (store) => {
        let waiting: string | undefined
        return withOperations(store, 'responses', (inner) => ({
          invalidate(api) {
            waiting = api
          },
          async get(api, name) {
            const found = await inner.get(api, name)
            if (waiting === api) await inner.invalidate(api)
            waiting = undefined
            return found
          },
        }))
      },
    ],
  ])('detect the seeded bug: %s', async (_, breakStore) => {
    await expect(checkCache(breakStore)).rejects.toThrow('Property failed')
  })
})
