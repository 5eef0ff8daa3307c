/** All seeded bugs, of one node and of clusters, and every property on the correct code. */
import {
  type ManagementUnderTest,
  type Mutant,
  type PropertyRun,
  propertyRun,
  propertyRuns,
  singleNodeMutants,
} from '@turnpike/testkit'
import { clusterSubject } from '../properties/cluster-subject.ts'
import { dividedIntoShares, exchanging, sharedUntilPartitioned } from '../properties/per-node-counting.ts'
import { linearizableProperty } from '../properties/property-12-linearizability.ts'
import { clusterBoundProperty } from '../properties/property-13-cluster-bound.ts'
import {
  exchangeProperty,
  partitionProperty,
  splitSharesProperty,
} from '../properties/property-13-cluster-bound-per-node.ts'
import { reloadRefinementProperty } from '../properties/property-14-refinement-reload.ts'
import { deletedKeysProperty } from '../properties/property-17-keys-deleted.ts'
import { convergenceProperty } from '../properties/property-20-convergence.ts'
import { clusterMutants } from './cluster-mutants.ts'
import { perNodeMutants } from './per-node-mutants.ts'

/** Returns every seeded bug; some are around the batch endpoint and the OAuth server of `management`. */
export function everyMutant(management: ManagementUnderTest): readonly Mutant[] {
  return [...singleNodeMutants(management), ...clusterMutants, ...perNodeMutants]
}

const cluster = clusterSubject('the engine in a simulated cluster')

/** The correct code under every property, on one node and in clusters. */
export function everyPropertyRun(management: ManagementUnderTest): readonly PropertyRun[] {
  return [
    ...propertyRuns(management),
    ...[
      linearizableProperty,
      clusterBoundProperty,
      reloadRefinementProperty,
      deletedKeysProperty,
      convergenceProperty,
    ].map((property) => propertyRun(property, cluster)),
    propertyRun(splitSharesProperty, dividedIntoShares('shares')),
    propertyRun(exchangeProperty, exchanging('counts that are exchanged')),
    propertyRun(partitionProperty, sharedUntilPartitioned('a network that falls apart')),
  ]
}
