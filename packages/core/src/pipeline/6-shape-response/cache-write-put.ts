/** Writes to the cache beside the answer: nobody waits for it, and a store that fails costs a hit, not an answer. */
import type { StoredResponse } from '../../cache/stored-response.ts'
import type { Millis } from '../../ports/clock.ts'
import type { CacheMark } from '../../ports/store.ts'
import type { Tools } from '../tools.ts'

export function putQuietly(
  { store, log }: Tools,
  apiId: string,
  { name, mark }: { readonly name: string; readonly mark: CacheMark },
  response: StoredResponse,
  lifetimeMs: Millis,
): void {
  const done = store.responses.put(apiId, name, response, lifetimeMs, mark)
  if (done instanceof Promise) {
    done.catch((cause: unknown) => log.warn('an answer could not be cached', { api: apiId, cause: String(cause) }))
  }
}
