import { expectProperty } from '@turnpike/testkit'
import { describe, it } from 'vitest'
import { clusterSubject } from './cluster-subject.ts'
import { linearizableLaw } from './law-12-linearizable.ts'
import { clusterBoundLaw } from './law-13-cluster-bound.ts'
import { reloadRefinementLaw } from './law-14-reload.ts'
import { deletedKeysLaw } from './law-17-deleted-keys.ts'
import { convergenceLaw } from './law-20-convergence.ts'

const run = { requests: process.env['CI'] === undefined ? 3_000 : 10_000 }
const cluster = clusterSubject('the engine in a simulated cluster')

describe('a cluster on one store', () => {
  it('decides as if one node had seen all requests in some order', { timeout: 240_000 }, () =>
    expectProperty(linearizableLaw, cluster, run),
  )
  it('admits no more than the limit, whatever breaks', { timeout: 240_000 }, () =>
    expectProperty(clusterBoundLaw, cluster, run),
  )
  it('is not disturbed by reloads', { timeout: 240_000 }, () => expectProperty(reloadRefinementLaw, cluster, run))
  it('forgets a deleted key on every node', { timeout: 240_000 }, () => expectProperty(deletedKeysLaw, cluster, run))
  it('comes to serve the same on every node', { timeout: 240_000 }, () =>
    expectProperty(convergenceLaw, cluster, { requests: run.requests / 5 }),
  )
})
