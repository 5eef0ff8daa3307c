/** Faults planted into the store of Redis, on a real one whose time is set: the laws catch each of them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { storeMutantsSuite } from '@turnpike/testkit/suites/store-mutants-suite'
import { describeWithRedisLab } from './testing/describe-redis-lab.ts'
import { redisMutants } from './testing/redis-faults.ts'

const found = join(import.meta.dirname, '../../../../fixtures/store-mutants.json')

describeWithRedisLab('a Redis whose time is set', (lab, hand) => {
  storeMutantsSuite('Redis', redisMutants(lab, hand), JSON.parse(readFileSync(found, 'utf8')))
})
