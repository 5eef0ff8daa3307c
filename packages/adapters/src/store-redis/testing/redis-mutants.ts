/** Seeded bugs of the Redis store: those of all stores, and counting with several commands, between which a crash can occur. */
import {
  crashProperty,
  type Mutant,
  makeMutant,
  type StoreHarness,
  type StorePropertiesOptions,
  storeMutants,
} from '@turnpike/testkit'
import { type CountByCommands, redisCrash } from './redis-crash.ts'
import type { VirtualRedis } from './redis-harness.ts'

const countThenExpire: CountByCommands = async (client, name, windowSeconds) => {
  await client.incrby(name, 1)
  await client.expire(name, windowSeconds)
}

const secondsForMilliseconds: CountByCommands = (client, name, windowSeconds) =>
  client.set(name, '1', 'PX', windowSeconds)

export function redisMutants(
  harness: StoreHarness,
  fixture: VirtualRedis,
  options: Pick<StorePropertiesOptions, 'management'>,
): readonly Mutant[] {
  return [
    ...storeMutants(harness, options),
    makeMutant(`${harness.name}: counts, then sets the expiry`, crashProperty, redisCrash(fixture, countThenExpire)),
    makeMutant(
      `${harness.name}: takes milliseconds for seconds`,
      crashProperty,
      redisCrash(fixture, secondsForMilliseconds),
    ),
  ]
}
