/** Policies for programs in the same process. Changes reload the gateway, so they take effect at once. */
import type { PolicyBook } from '@turnpike/core/session'
import { fromPolicy, toKnownPolicy } from './convert-documents.ts'
import type { PolicyHelpers } from './gateway.ts'
import type { WiredSource } from './wire-source.ts'

export function makePolicyHelpers(
  book: () => PolicyBook,
  source: Pick<WiredSource, 'writePolicy' | 'removePolicy'>,
  reload: () => Promise<unknown>,
): PolicyHelpers {
  return {
    get(id) {
      const policy = book().get(id)
      return policy && fromPolicy(policy)
    },
    list: () => book().policies.map(fromPolicy),
    async put(id, policy) {
      toKnownPolicy(policy)
      await source.writePolicy(id, JSON.stringify({ ...policy, id }, null, 2))
      await reload()
    },
    async remove(id) {
      const removed = await source.removePolicy(id)
      if (removed) await reload()
      return removed
    },
  }
}
