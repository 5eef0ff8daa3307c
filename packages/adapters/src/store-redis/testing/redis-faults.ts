/** Faults planted into the store of Redis: those of any store, and counting by commands that a crash comes between. */
import { crashProperty, type Mutant, makeMutant, type StoreHarness, storeMutants } from '@turnpike/testkit'
import { type CountByCommands, redisCrash } from './redis-crash.ts'
import type { VirtualRedis } from './redis-lab.ts'

const countThenExpire: CountByCommands = async (client, name, windowSeconds) => {
  await client.incrby(name, 1)
  await client.expire(name, windowSeconds)
}

const secondsForMilliseconds: CountByCommands = (client, name, windowSeconds) =>
  client.set(name, '1', 'PX', windowSeconds)

export function redisMutants(lab: StoreHarness, hand: VirtualRedis): readonly Mutant[] {
  return [
    ...storeMutants(lab),
    makeMutant(`${lab.name}: counts, then sets the expiry`, crashProperty, redisCrash(hand, countThenExpire)),
    makeMutant(`${lab.name}: takes milliseconds for seconds`, crashProperty, redisCrash(hand, secondsForMilliseconds)),
  ]
}
