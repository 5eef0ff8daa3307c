/** Mutants of single-use tokens. */

import { singleUseProperty } from '../properties/property-18-single-use.ts'
import type { MakeOAuthServer } from '../properties/subjects/management-under-test.ts'
import { engineCodes, engineRefreshTokens, type WrapRecords } from '../properties/subjects/oauth-subjects.ts'
import { turns } from '../properties/subjects/slow-store.ts'
import { type Mutant, makeMutant } from './mutant.ts'

const wrappers: Readonly<Record<string, WrapRecords>> = {
  'is read first and removed later': (real) => ({
    async remove(name) {
      const found = (await real.get(name)) !== undefined
      await turns(2)
      await real.remove(name)
      return found
    },
  }),
  'is accepted even if the removal fails': (real) => ({
    async remove(name) {
      await real.remove(name)
      return true
    },
  }),
  'is not removed': () => ({ remove: () => true }),
  'is used up by reading it': (real) => ({ get: (name) => (isToken(name) ? real.take(name) : real.get(name)) }),
  'lives a second too long': (real) => ({
    put: (name, text, lifetimeMs) => real.put(name, text, lifetimeMs === undefined ? undefined : lifetimeMs + 1000),
  }),
  'lives a second too short': (real) => ({
    put: (name, text, lifetimeMs) => real.put(name, text, lifetimeMs === undefined ? undefined : lifetimeMs - 1000),
  }),
  'never expires': (real) => ({ put: (name, text) => real.put(name, text) }),
}

function isToken(name: string): boolean {
  return name.includes('oauth-authorize.') || name.includes('oauth-refresh.')
}

/** All mutants of authorization codes and refresh tokens, around a correct OAuth server. */
export function singleUseMutants(makeServer: MakeOAuthServer): readonly Mutant[] {
  return Object.entries(wrappers).flatMap(([what, wrap]) => [
    makeMutant(`a code ${what}`, singleUseProperty, engineCodes(what, makeServer, wrap)),
    makeMutant(`a refresh token ${what}`, singleUseProperty, engineRefreshTokens(what, makeServer, wrap)),
  ])
}
