/** What HTTP clients for upstreams have in common, whichever library sends the bytes. @turnpike/adapters uses it for undici. */
export * from './call-pool.ts'
export { ChunkJoiner } from './chunk-joiner.ts'
export * from './deadlines.ts'
export { headerName } from './header-names.ts'
export { encodeForWire, isFraming, sendableHeaders } from './sendable-headers.ts'
export { SharedPools } from './shared-pools.ts'
export * from './upstream-call.ts'
export * from './upstream-errors.ts'
