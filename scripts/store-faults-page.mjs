#!/usr/bin/env node
// Looks for every fault that is planted into stores, in memory, on LMDB and on a real Redis whose time is set, and writes
// how each was found: fixtures/planted-store-faults.json, which tests replay, and docs/verification-store-faults.md.
// Needs the build, redis-server and libfaketime.
//
//   node scripts/store-faults-page.mjs
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { lmdbLab } from '../packages/adapters/dist/store-lmdb/testing/lmdb-lab.js'
import { redisFaults } from '../packages/adapters/dist/store-redis/testing/redis-faults.js'
import { makeRedisLab } from '../packages/adapters/dist/store-redis/testing/redis-lab.js'
import { faultsOnStore, findFault, memoryLab, storeFaultsPage } from '../packages/testkit/dist/index.js'
import { startVirtualRedisServer } from '../packages/testkit/dist/redis-server/virtual-redis-server.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const hand = { server: await startVirtualRedisServer() }
const redis = makeRedisLab(hand)
const found = []
for (const fault of [...faultsOnStore(memoryLab), ...faultsOnStore(lmdbLab), ...redisFaults(redis, hand)]) {
  console.error(`${fault.law}: ${fault.name}`)
  const { trace: _, ...kept } = await findFault(fault, { shrink: false })
  found.push(kept)
}
await redis.close()
await hand.server.close()
writeFileSync(join(root, 'fixtures', 'planted-store-faults.json'), `${JSON.stringify(found, null, 2)}\n`)
writeFileSync(join(root, 'docs', 'verification-store-faults.md'), storeFaultsPage(found))
