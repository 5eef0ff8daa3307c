/** All store properties on LMDB, with virtual time. */
import { storePropertiesSuite } from '@turnpike/testkit/suites/store-properties-suite'
import { lmdbHarness } from './testing/lmdb-harness.ts'

storePropertiesSuite(lmdbHarness)
