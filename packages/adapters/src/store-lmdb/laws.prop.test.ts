/** Every law on LMDB, on virtual time. */
import { storeLawsSuite } from '@turnpike/testkit/suites/store-laws-suite'
import { lmdbLab } from './testing/lmdb-lab.ts'

storeLawsSuite(lmdbLab)
