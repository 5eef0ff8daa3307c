/**
 * Finds the span of the request that calls the store. Only a networked store has calls worth a span, so requests carry
 * their span through asynchronous code only with such a store.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { RequestSpan, Tracing } from '@turnpike/core/pipeline'
import type { StoreObserver } from '../store-redis/observe-commands.ts'
import { OtlpRequestSpan } from './request-span.ts'
import type { WallClock } from './wall-clock.ts'

export interface ActiveSpan {
  readonly within: NonNullable<Tracing['within']>
  readonly store: StoreObserver
}

export function makeActiveSpan(time: Pick<WallClock, 'nowMicros'>, system: string): ActiveSpan {
  const current = new AsyncLocalStorage<RequestSpan>()
  return {
    within: (span, fn) => current.run(span, fn),
    store: {
      started() {
        const span = current.getStore()
        if (!(span instanceof OtlpRequestSpan)) return undefined
        const startedAt = time.nowMicros()
        return ({ operation, script, batchSize, error }) =>
          span.addChild({
            name: operation,
            startedAt,
            attributes: {
              'db.system.name': system,
              'db.operation.name': operation,
              'db.stored_procedure.name': script,
              'db.operation.batch.size': batchSize,
              'error.type': error,
            },
            failed: error !== undefined,
          })
      },
    },
  }
}
