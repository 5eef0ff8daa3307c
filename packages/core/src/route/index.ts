/** The names of this folder that other packages import, as `@turnpike/core/route`. */
export { cleanPath } from './clean-path.ts'
export { hasDotSegments } from './hidden-segments.ts'
export { hostName } from './host-table.ts'
export { makeListenPathTable } from './listen-path-table.ts'
export { findOrgConflicts } from './org-conflicts.ts'
export { findPortClashes } from './port-clashes.ts'
export type { StreamRoute } from './stream-route.ts'
