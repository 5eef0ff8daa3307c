#!/usr/bin/env node
// Searches for the seeded bug of every store mutant: in memory, on LMDB, and on a real Redis with a virtual time. Writes
// the seed and the path that detect it to fixtures/store-mutants.json, which tests replay, and to
// docs/verification-store-mutants.md. Run `npm run build` first; redis-server and libfaketime must be installed.
//
//   node scripts/store-mutants-page.mjs
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { lmdbHarness } from '../packages/adapters/dist/store-lmdb/testing/lmdb-harness.js'
import { makeRedisHarness } from '../packages/adapters/dist/store-redis/testing/redis-harness.js'
import { redisMutants } from '../packages/adapters/dist/store-redis/testing/redis-mutants.js'
import { managementUnderTest } from '../packages/mgmt-api/dist/testing/management-under-test.js'
import { findMutant, memoryHarness, storeMutants, storeMutantsPage } from '../packages/testkit/dist/index.js'
import { startVirtualRedisServer } from '../packages/testkit/dist/redis-server/virtual-redis-server.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const fixture = { server: await startVirtualRedisServer() }
const { close, ...redis } = makeRedisHarness(fixture)
const found = []
const management = managementUnderTest
const mutants = [
  ...storeMutants(memoryHarness, { management }),
  ...storeMutants(lmdbHarness, { management }),
  ...redisMutants(redis, fixture, { management }),
]
for (const mutant of mutants) {
  console.error(`${mutant.property}: ${mutant.name}`)
  const { trace: _, ...kept } = await findMutant(mutant, { shrink: false })
  found.push(kept)
}
await close()
await fixture.server.close()
writeFileSync(join(root, 'fixtures', 'store-mutants.json'), `${JSON.stringify(found, null, 2)}\n`)
writeFileSync(join(root, 'docs', 'verification-store-mutants.md'), storeMutantsPage(found))
