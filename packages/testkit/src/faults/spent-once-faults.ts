/** Faults planted into things that are spent once. */
import { spentOnceLaw } from '../laws/law-18-spent-once.ts'
import { type AroundRecords, engineCodes, engineRefreshTokens, turns } from '../laws/oauth-subjects.ts'
import { type PlantedFault, plant } from './fault.ts'

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

export const spentOnceFaults: readonly PlantedFault[] = Object.entries(faults).flatMap(([what, around]) => [
  plant(`a code ${what}`, spentOnceLaw, engineCodes(what, around)),
  plant(`a refresh token ${what}`, spentOnceLaw, engineRefreshTokens(what, around)),
])
