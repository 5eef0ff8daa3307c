/** The properties of clusters with the store that several nodes share in production, commands and scripts included. */

import { expectProperty } from '@turnpike/testkit'
import { describe, it } from 'vitest'
import {
  clusterBoundProperty,
  clusterSubject,
  convergenceProperty,
  deletedKeysProperty,
  linearizableProperty,
  reloadRefinementProperty,
} from '../index.ts'
import { loadRedisMock } from './redis-mock.ts'
import { redisMockServer } from './redis-mock-server.ts'

/** A script takes some 3 ms in the mock. `PROPERTIES_LONG` makes them ten times as long. */
const times = process.env['PROPERTIES_LONG'] === undefined ? 1 : 10
const cluster = clusterSubject('nodes on a mocked Redis', { makeServer: redisMockServer(await loadRedisMock()) })

describe('a cluster on a mocked Redis', { timeout: 240_000 }, () => {
  it('decides as if one node had seen all requests in some order', () =>
    expectProperty(linearizableProperty, cluster, { requests: 600 * times }))
  it('admits no more than the limit, whichever part fails', () =>
    expectProperty(clusterBoundProperty, cluster, { requests: 1_000 * times }))
  it('is not disturbed by reloads', () => expectProperty(reloadRefinementProperty, cluster, { requests: 600 * times }))
  it('forgets a deleted key on every node', () =>
    expectProperty(deletedKeysProperty, cluster, { requests: 600 * times }))
  it('comes to serve the same on every node', () =>
    expectProperty(convergenceProperty, cluster, { requests: 100 * times }))
})
