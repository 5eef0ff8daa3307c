/**
 * Property 12 on one store: simultaneous requests on a fresh counter. Histories over several nodes are in
 * @turnpike/cluster-sim.
 */
import type { Maybe } from '@turnpike/core'
import fc from 'fast-check'
import { virtualEpoch } from '../virtual-clock.ts'
import { makeProperty } from './property.ts'
import type { QuotaSubject } from './quota-subject.ts'
import type { RateSubject } from './rate-subject.ts'

/** Anything that admits requests against a number, made fresh for each case. */
export interface SimultaneousSubject {
  readonly name: string
  /** Asks for one request on a fresh counter of `most`; the requests of one case share the counter. */
  make(most: number): () => Maybe<{ readonly allowed: boolean }>
}

interface Crowd {
  readonly most: number
  readonly requests: number
}

export const simultaneousProperty = makeProperty<SimultaneousSubject, Crowd>({
  number: 12,
  name: 'simultaneous requests',
  statement: 'n simultaneous requests on a fresh counter admit exactly min(n, L).',
  cases: fc.record({ most: fc.integer({ min: 1, max: 40 }), requests: fc.integer({ min: 1, max: 80 }) }),
  requestsOf: ({ requests }) => requests,
  show: ({ most, requests }) => `  ${requests} requests at once on a limit of ${most}`,
  async check(subject, { most, requests }) {
    const ask = subject.make(most)
    const answers = await Promise.all(Array.from({ length: requests }, async () => ask()))
    const admitted = answers.filter(({ allowed }) => allowed).length
    return admitted === Math.min(most, requests) ? undefined : `${admitted} are admitted`
  },
})

/** A rate under property 12. */
export function simultaneousRate({ name, traits, make }: RateSubject): SimultaneousSubject {
  return {
    name,
    make(most) {
      const underTest = make({ rate: most + most - traits.most(most), per: 60 })
      return () => underTest.take('k', virtualEpoch, 1)
    },
  }
}

/** A quota under property 12. */
export function simultaneousQuota({ name, make }: QuotaSubject): SimultaneousSubject {
  return {
    name,
    make(max) {
      const underTest = make()
      return () => underTest.spend('q', virtualEpoch, { max, renewalSeconds: 60 }, 1)
    },
  }
}
