import { expectProperty } from '@turnpike/testkit'
import { describe, it } from 'vitest'
import { clusterSubject } from './cluster-subject.ts'
import { linearizableProperty } from './property-12-linearizability.ts'
import { clusterBoundProperty } from './property-13-cluster-bound.ts'
import { reloadRefinementProperty } from './property-14-refinement-reload.ts'
import { deletedKeysProperty } from './property-17-keys-deleted.ts'
import { convergenceProperty } from './property-20-convergence.ts'

const run = { requests: process.env['CI'] === undefined ? 3_000 : 10_000 }
const cluster = clusterSubject('the engine in a simulated cluster')

describe('a cluster on one store', () => {
  it('decides as if one node had seen all requests in some order', { timeout: 240_000 }, () =>
    expectProperty(linearizableProperty, cluster, run),
  )
  it('admits no more than the limit, whichever part fails', { timeout: 240_000 }, () =>
    expectProperty(clusterBoundProperty, cluster, run),
  )
  it('is not disturbed by reloads', { timeout: 240_000 }, () => expectProperty(reloadRefinementProperty, cluster, run))
  it('forgets a deleted key on every node', { timeout: 240_000 }, () =>
    expectProperty(deletedKeysProperty, cluster, run),
  )
  it('comes to serve the same on every node', { timeout: 240_000 }, () =>
    expectProperty(convergenceProperty, cluster, { requests: run.requests / 5 }),
  )
})
