/** The names of this folder that other packages import, as `@turnpike/core/quota`. */
export { decideQuota, freshQuota } from './decide-quota.ts'
