/** What all nodes of a simulation share: time, the network, and chance. Everything comes from one seed. */
import { makeVirtualClock, type VirtualClock } from '@turnpike/testkit'
import { type Draws, makeDraws } from './draws.ts'
import { makeNetwork, type Network, type NetworkQuality } from './network.ts'

export interface World {
  readonly seed: number
  readonly clock: VirtualClock
  readonly network: Network
  draws(label: string): Draws
}

export function makeWorld(seed: number, quality: NetworkQuality): World {
  const clock = makeVirtualClock()
  return {
    seed,
    clock,
    network: makeNetwork(clock, makeDraws(seed, 'network'), quality),
    draws: (label) => makeDraws(seed, label),
  }
}
