/** The laws of clusters with the store that several nodes share in production, commands and scripts included. */

import { expectProperty } from '@turnpike/testkit'
import { describe, it } from 'vitest'
import {
  clusterBoundLaw,
  clusterSubject,
  convergenceLaw,
  deletedKeysLaw,
  linearizableLaw,
  reloadRefinementLaw,
} from '../index.ts'
import { loadRedisMock } from './redis-mock.ts'
import { redisMockServer } from './redis-mock-server.ts'

/** A script takes some 3 ms in the mock. `LAWS_LONG` makes them ten times as long. */
const times = process.env['LAWS_LONG'] === undefined ? 1 : 10
const cluster = clusterSubject('nodes on a mocked Redis', { makeServer: redisMockServer(await loadRedisMock()) })

describe('a cluster on a mocked Redis', { timeout: 240_000 }, () => {
  it('decides as if one node had seen all requests in some order', () =>
    expectProperty(linearizableLaw, cluster, { requests: 600 * times }))
  it('admits no more than the limit, whatever breaks', () =>
    expectProperty(clusterBoundLaw, cluster, { requests: 1_000 * times }))
  it('is not disturbed by reloads', () => expectProperty(reloadRefinementLaw, cluster, { requests: 600 * times }))
  it('forgets a deleted key on every node', () => expectProperty(deletedKeysLaw, cluster, { requests: 600 * times }))
  it('comes to serve the same on every node', () => expectProperty(convergenceLaw, cluster, { requests: 100 * times }))
})
