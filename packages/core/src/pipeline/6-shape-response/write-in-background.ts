/** Writes to the cache without delaying the response. A failed write is logged and costs only a later cache miss. */
import { isPromise, type Maybe } from '../../lib/maybe.ts'
import type { StageServices } from '../contract/stage-services.ts'

export function quietly({ log }: Pick<StageServices, 'log'>, apiId: string, write: () => Maybe<void>): void {
  const failed = (cause: unknown) => log.warn('the cache could not be written', { api: apiId, cause: String(cause) })
  try {
    const done = write()
    if (isPromise(done)) done.catch(failed)
  } catch (cause) {
    failed(cause)
  }
}
