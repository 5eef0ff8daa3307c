/** The names of this folder that other packages import, as `@turnpike/core/cache`. */
export { compatibleKeyParts } from './cache-key.ts'
