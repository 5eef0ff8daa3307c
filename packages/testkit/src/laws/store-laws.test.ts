import { storeLawsSuite } from '../suites/store-laws-suite.ts'
import { memoryLab } from './store-lab.ts'

storeLawsSuite(memoryLab, { requests: 2000 })
