/** Faults planted into LMDB: the laws catch each of them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { faultsOnStore } from '@turnpike/testkit'
import { storeFaultsSuite } from '@turnpike/testkit/suites/store-faults-suite'
import { lmdbLab } from './testing/lmdb-lab.ts'

const found = join(import.meta.dirname, '../../../../fixtures/planted-store-faults.json')

storeFaultsSuite('LMDB', faultsOnStore(lmdbLab), JSON.parse(readFileSync(found, 'utf8')))
