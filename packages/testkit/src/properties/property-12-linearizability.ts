/**
 * Property 12 on one store: simultaneous requests on a new counter. @turnpike/cluster-sim checks the linearizability of
 * several nodes.
 */
import type { Maybe } from '@turnpike/core/lib'
import fc from 'fast-check'
import { virtualEpoch } from '../virtual-clock.ts'
import { makeProperty } from './property.ts'
import type { QuotaSubject } from './subjects/quota-subject.ts'
import type { RateSubject } from './subjects/rate-subject.ts'

/** A limiter with a new counter for each case. */
export interface SimultaneousSubject {
  readonly name: string
  /** Returns a function that sends one request to a new counter with the limit `max`. */
  make(max: number): () => Maybe<{ readonly allowed: boolean }>
}

interface SimultaneousCase {
  readonly max: number
  readonly requests: number
}

export const linearizabilityProperty = makeProperty<SimultaneousSubject, SimultaneousCase>({
  number: 12,
  name: 'linearizability, one store',
  statement: 'Of n simultaneous requests on a new counter, exactly min(n, L) are admitted.',
  cases: fc.record({ max: fc.integer({ min: 1, max: 40 }), requests: fc.integer({ min: 1, max: 80 }) }),
  requestsOf: ({ requests }) => requests,
  show: ({ max, requests }) => `  ${requests} requests at once on a limit of ${max}`,
  async check(subject, { max, requests }) {
    const request = subject.make(max)
    const results = await Promise.all(Array.from({ length: requests }, async () => request()))
    const admitted = results.filter(({ allowed }) => allowed).length
    return admitted === Math.min(max, requests) ? undefined : `${admitted} are admitted`
  },
})

/** A rate limiter as a subject of property 12. */
export function simultaneousRate({ name, traits, make }: RateSubject): SimultaneousSubject {
  return {
    name,
    make(max) {
      // An algorithm that admits fewer requests than its rate gets a higher rate, so that it admits `max`.
      const underTest = make({ rate: max + (max - traits.most(max)), per: 60 })
      return () => underTest.take('k', virtualEpoch, 1)
    },
  }
}

/** A quota as a subject of property 12. */
export function simultaneousQuota({ name, make }: QuotaSubject): SimultaneousSubject {
  return {
    name,
    make(max) {
      const underTest = make()
      return () => underTest.spend('q', virtualEpoch, { max, renewalSeconds: 60 }, 1)
    },
  }
}
