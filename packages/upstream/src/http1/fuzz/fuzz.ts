/** The entry `@turnpike/upstream/http1/fuzz`: the fuzz target of the response parser, and its grammar for other targets. */
export { FuzzFailure, fuzzResponse } from './fuzz-response.ts'
export { hostileResponse } from './hostile-response.ts'
export { makeRandom, type Random } from './random.ts'
