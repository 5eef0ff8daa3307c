/** The names of this folder that other packages import, as `@turnpike/core/cache`. */
export { makeByteBudget } from './byte-budget.ts'
export { compatibleKeyParts } from './cache-key.ts'
