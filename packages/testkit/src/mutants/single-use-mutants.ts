/** Faults planted into things that are spent once. */

import { type AroundRecords, engineCodes, engineRefreshTokens, turns } from '../properties/oauth-subjects.ts'
import { singleUseProperty } from '../properties/property-18-single-use.ts'
import { type Mutant, makeMutant } from './mutant.ts'

const faults: Readonly<Record<string, AroundRecords>> = {
  'looks first and removes later': (real) => ({
    async remove(name) {
      const found = (await real.get(name)) !== undefined
      await turns(2)
      await real.remove(name)
      return found
    },
  }),
  'goes on whatever the removal says': (real) => ({
    async remove(name) {
      await real.remove(name)
      return true
    },
  }),
  'does not remove': () => ({ remove: () => true }),
  'is spent by looking at it': (real) => ({ get: (name) => (spendable(name) ? real.take(name) : real.get(name)) }),
  'lives a second too long': (real) => ({
    put: (name, text, lifetimeMs) => real.put(name, text, lifetimeMs === undefined ? undefined : lifetimeMs + 1000),
  }),
  'lives a second too short': (real) => ({
    put: (name, text, lifetimeMs) => real.put(name, text, lifetimeMs === undefined ? undefined : lifetimeMs - 1000),
  }),
  'lives for good': (real) => ({ put: (name, text) => real.put(name, text) }),
}

function spendable(name: string): boolean {
  return name.includes('oauth-authorize.') || name.includes('oauth-refresh.')
}

export const singleUseMutants: readonly Mutant[] = Object.entries(faults).flatMap(([what, around]) => [
  makeMutant(`a code ${what}`, singleUseProperty, engineCodes(what, around)),
  makeMutant(`a refresh token ${what}`, singleUseProperty, engineRefreshTokens(what, around)),
])
