/** The properties detect each seeded bug of the LMDB store. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { managementUnderTest as management } from '@turnpike/mgmt-api/testing'
import { storeMutants } from '@turnpike/testkit'
import { storeMutantsSuite } from '@turnpike/testkit/suites/store-mutants-suite'
import { lmdbHarness } from './testing/lmdb-harness.ts'

const found = join(import.meta.dirname, '../../../../fixtures/store-mutants.json')

storeMutantsSuite('LMDB', storeMutants(lmdbHarness, { management }), JSON.parse(readFileSync(found, 'utf8')))
