/** Faults planted into LMDB: the laws catch each of them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { storeMutants } from '@turnpike/testkit'
import { storeMutantsSuite } from '@turnpike/testkit/suites/store-mutants-suite'
import { lmdbLab } from './testing/lmdb-lab.ts'

const found = join(import.meta.dirname, '../../../../fixtures/store-mutants.json')

storeMutantsSuite('LMDB', storeMutants(lmdbLab), JSON.parse(readFileSync(found, 'utf8')))
