/** The names of this folder that other packages import, as `@turnpike/core/rate-limit`. */
export { decideRate, freshRate } from './decide-rate.ts'
export { decideRolling, entriesKept, freshLog } from './rolling-log.ts'
