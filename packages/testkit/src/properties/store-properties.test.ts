import { storePropertiesSuite } from '../suites/store-properties-suite.ts'
import { memoryHarness } from './store-harness.ts'

storePropertiesSuite(memoryHarness, { requests: 2000 })
