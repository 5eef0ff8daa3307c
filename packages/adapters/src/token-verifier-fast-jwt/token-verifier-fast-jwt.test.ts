import { tokenVerifierSuite } from '@turnpike/testkit/suites/token-verifier-suite'
import { member } from '../certificates-node/testing/test-certificates.ts'
import { fastJwtVerifier } from './token-verifier-fast-jwt.ts'

tokenVerifierSuite('fast-jwt', fastJwtVerifier, member)
