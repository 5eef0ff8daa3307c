/** The properties detect each seeded bug of the Redis store, on a real Redis with virtual time. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { managementUnderTest as management } from '@turnpike/mgmt-api/testing'
import { storeMutantsSuite } from '@turnpike/testkit/suites/store-mutants-suite'
import { describeWithRedisHarness } from './testing/describe-with-redis-harness.ts'
import { redisMutants } from './testing/redis-mutants.ts'

const found = join(import.meta.dirname, '../../../../fixtures/store-mutants.json')

describeWithRedisHarness('a Redis with virtual time', (harness, fixture) => {
  storeMutantsSuite('Redis', redisMutants(harness, fixture, { management }), JSON.parse(readFileSync(found, 'utf8')))
})
