/** Every law on LMDB, on virtual time. */
import { storePropertiesSuite } from '@turnpike/testkit/suites/store-properties-suite'
import { lmdbLab } from './testing/lmdb-lab.ts'

storePropertiesSuite(lmdbLab)
