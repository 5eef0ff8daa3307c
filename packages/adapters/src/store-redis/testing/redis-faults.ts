/** Faults planted into the store of Redis: those of any store, and counting by commands that a crash comes between. */
import { crashLaw, faultsOnStore, type PlantedFault, plant, type StoreLab } from '@turnpike/testkit'
import { type CountByCommands, redisCrash } from './redis-crash.ts'
import type { VirtualRedis } from './redis-lab.ts'

const countThenExpire: CountByCommands = async (client, name, windowSeconds) => {
  await client.incrby(name, 1)
  await client.expire(name, windowSeconds)
}

const secondsForMilliseconds: CountByCommands = (client, name, windowSeconds) =>
  client.set(name, '1', 'PX', windowSeconds)

export function redisFaults(lab: StoreLab, hand: VirtualRedis): readonly PlantedFault[] {
  return [
    ...faultsOnStore(lab),
    plant(`${lab.name}: counts, then sets the expiry`, crashLaw, redisCrash(hand, countThenExpire)),
    plant(`${lab.name}: takes milliseconds for seconds`, crashLaw, redisCrash(hand, secondsForMilliseconds)),
  ]
}
