/** What all nodes of a simulation share: time and the network. All chance comes from one seed. */
import { makeVirtualClock, type VirtualClock } from '@turnpike/testkit'
import { makeDraws } from './draws.ts'
import { makeNetwork, type Network, type NetworkQuality } from './network.ts'

export interface World {
  readonly clock: VirtualClock
  readonly network: Network
}

export function makeWorld(seed: number, quality: NetworkQuality): World {
  const clock = makeVirtualClock()
  return {
    clock,
    network: makeNetwork(clock, makeDraws(seed, 'network'), quality),
  }
}
