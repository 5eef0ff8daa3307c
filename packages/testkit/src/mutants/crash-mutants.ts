/** Mutants that count by several commands, so that a crash between two of them leaves a wrong expiry. */

import { crashProperty } from '../properties/property-14-refinement-crash.ts'
import { type CountRequest, countInOneCommand, makeCommandStore } from '../properties/subjects/command-store.ts'
import { type Mutant, makeMutant } from './mutant.ts'

const mutant = (what: string, count: CountRequest) =>
  makeMutant(`crash: ${what}`, crashProperty, makeCommandStore(what, count))

export const crashMutants: readonly Mutant[] = [
  mutant('counts, then sets the expiry', async (commands, name, windowMs) => {
    await commands.add(name)
    await commands.expire(name, windowMs)
  }),
  mutant(
    'sets the expiry only when the first request is counted, in a command of its own',
    async (commands, name, windowMs) => {
      if ((await commands.add(name)) === 1) await commands.expire(name, windowMs)
    },
  ),
  mutant('takes the expiry off while it counts', async (commands, name, windowMs) => {
    await countInOneCommand(commands, name, windowMs, { kind: 'quota', counter: '', windowSeconds: 0 })
    await commands.expire(name, undefined)
    await commands.expire(name, windowMs)
  }),
  mutant('forgets the expiry of quotas', (commands, name, windowMs, step) =>
    step.kind === 'quota'
      ? commands.transaction(({ add }) => add(name))
      : countInOneCommand(commands, name, windowMs, step),
  ),
  mutant('takes seconds for milliseconds', (commands, name, windowMs, step) =>
    countInOneCommand(commands, name, windowMs / 1000, { ...step }),
  ),
  mutant('adds a window to the expiry for what is there already', async (commands, name, windowMs, step) => {
    const factor = (await commands.has(name)) ? 2 : 1
    await countInOneCommand(commands, name, factor * windowMs, step)
  }),
]
