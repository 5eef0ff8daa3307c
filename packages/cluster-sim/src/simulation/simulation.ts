/** What all nodes of a simulation share: time and the network. All chance comes from one seed. */
import { makeVirtualClock, type VirtualClock } from '@turnpike/testkit'
import { makeNetwork, type Network, type NetworkQuality } from './network.ts'
import { makePrng } from './prng.ts'

export interface Simulation {
  readonly clock: VirtualClock
  readonly network: Network
}

export function makeSimulation(seed: number, quality: NetworkQuality): Simulation {
  const clock = makeVirtualClock()
  return {
    clock,
    network: makeNetwork(clock, makePrng(seed, 'network'), quality),
  }
}
