/** All seeded bugs, of one node and of clusters, and every law on the correct code. */
import { type Mutant, type PropertyRun, propertyRun, propertyRuns, singleNodeMutants } from '@turnpike/testkit'
import { clusterSubject } from '../laws/cluster-subject.ts'
import { exchanging, fallingApart, sharedOut } from '../laws/counting-apart.ts'
import { linearizableLaw } from '../laws/law-12-linearizable.ts'
import { exchangeLaw, partitionLaw, splitSharesLaw } from '../laws/law-13-apart.ts'
import { clusterBoundLaw } from '../laws/law-13-cluster-bound.ts'
import { reloadRefinementLaw } from '../laws/law-14-reload.ts'
import { deletedKeysLaw } from '../laws/law-17-deleted-keys.ts'
import { convergenceLaw } from '../laws/law-20-convergence.ts'
import { apartFaults } from './apart-faults.ts'
import { clusterFaults } from './cluster-faults.ts'

export const everyFault: readonly Mutant[] = [...singleNodeMutants, ...clusterFaults, ...apartFaults]

const cluster = clusterSubject('the engine in a simulated cluster')

/** The correct code under every law, on one node and in clusters. */
export const everyPropertyRun: readonly PropertyRun[] = [
  ...propertyRuns,
  ...[linearizableLaw, clusterBoundLaw, reloadRefinementLaw, deletedKeysLaw, convergenceLaw].map((law) =>
    propertyRun(law, cluster),
  ),
  propertyRun(splitSharesLaw, sharedOut('shares')),
  propertyRun(exchangeLaw, exchanging('counts that are exchanged')),
  propertyRun(partitionLaw, fallingApart('a network that falls apart')),
]
