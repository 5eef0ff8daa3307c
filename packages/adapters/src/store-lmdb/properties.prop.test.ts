/** All store properties on LMDB, with virtual time. */
import { managementUnderTest as management } from '@turnpike/mgmt-api/testing'
import { storePropertiesSuite } from '@turnpike/testkit/suites/store-properties-suite'
import { lmdbHarness } from './testing/lmdb-harness.ts'

storePropertiesSuite(lmdbHarness, { management })
