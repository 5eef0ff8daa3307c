/** Mutants of the response cache. */
import type { ResponseStore, Store } from '@turnpike/core/ports'
import { cacheApis } from '../properties/cache-cases.ts'
import { cacheProperty } from '../properties/property-19-cache.ts'
import { type CacheSubject, engineCache } from '../properties/subjects/cache-subject.ts'
import { slowed, turns } from '../properties/subjects/slow-store.ts'
import { type Mutant, mutantsOf } from './mutant.ts'

/** The engine's cache on a store with some methods replaced. */
function patch(change: (real: ResponseStore) => Partial<ResponseStore>, mode?: 'rfc9111'): CacheSubject {
  const around = (store: Store) => ({ ...store, responses: { ...store.responses, ...change(store.responses) } })
  return engineCache('patched', { store: around, ...(mode === undefined ? {} : { mode }) })
}

/** The engine's cache with shortened entry names. */
function rename(rule: (name: string) => string): CacheSubject {
  return patch((real) => ({
    get: (api, name) => real.get(api, rule(name)),
    put: (api, name, response, lifetimeMs, version) => real.put(api, rule(name), response, lifetimeMs, version),
  }))
}

/** Stores a response even if its API was invalidated after the request began. */
const keepsInvalidated = (real: ResponseStore): Partial<ResponseStore> => ({
  put: async (api, name, response, lifetimeMs) => real.put(api, name, response, lifetimeMs, await real.version(api)),
})

export const cacheMutants: readonly Mutant[] = mutantsOf(cacheProperty, {
  'cache: answers of one key are given to another': rename((name) => name.slice(0, name.indexOf('\n@'))),
  'cache: the query is no part of the key': rename((name) => name.replace(/\?[^\n]*/, '')),
  'cache: cache_by_headers is ignored': rename((name) => name.replace(/\nX-Lang-[^\n]*/, '')),
  'cache: only the beginning of the path counts': rename((name) => name.replace(/(\/\w+\/)\w/, '$1')),
  'cache: APIs share their answers': patch((real) => ({
    get: (_api, name) => real.get('all', name.replace(/\/\w+/, '')),
    version: () => real.version('all'),
    put: (_api, name, response, lifetimeMs, version) =>
      real.put('all', name.replace(/\/\w+/, ''), response, lifetimeMs, version),
  })),
  'cache: emptying one API empties those whose ids begin alike': patch((real) => ({
    invalidate(id) {
      for (const api of cacheApis) if (api.startsWith(id)) void real.invalidate(api)
    },
  })),
  'cache: an invalidation is acknowledged and left undone': patch(() => ({ invalidate: () => undefined })),
  'cache: an invalidation is acknowledged before it is done': patch((real) => ({
    invalidate(api) {
      void turns(2000).then(() => real.invalidate(api))
    },
  })),
  'cache: what was under way at an invalidation is kept all the same': patch(keepsInvalidated),
  'cache: shared answers under way at an invalidation are kept all the same': patch(keepsInvalidated, 'rfc9111'),
  'cache: answers live twice as long': patch((real) => ({
    put: (api, name, response, lifetimeMs, version) => real.put(api, name, response, 2 * lifetimeMs, version),
  })),
  'cache: answers live two seconds less': patch((real) => ({
    put: (api, name, response, lifetimeMs, version) => real.put(api, name, response, lifetimeMs - 2000, version),
  })),
  'cache: a hit makes the answer live longer': patch((real) => ({
    async get(api, name) {
      const found = await real.get(api, name)
      if (found !== undefined) await real.put(api, name, found, 5000, await real.version(api))
      return found
    },
  })),
  'cache: the body of another answer is kept': patch((real) => {
    let last: Uint8Array | undefined
    return {
      put(api, name, response, lifetimeMs, version) {
        const body = last ?? response.body
        last = response.body
        return real.put(api, name, { ...response, body }, lifetimeMs, version)
      },
    }
  }),
  'cache: nothing is ever given again': patch(() => ({ get: () => undefined })),
})

/** The engine's cache on a slow store. Not a mutant: the tests of the property use it. */
export const slowCache: CacheSubject = engineCache('slow store', {
  store: (store) => ({
    ...store,
    responses: slowed(store.responses, { get: 3, version: 2, put: 4, remove: 2, invalidate: 5 }),
  }),
})
