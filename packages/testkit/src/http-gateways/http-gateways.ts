/** The entry `@turnpike/testkit/http-gateways`. */

export * from './gateway-options.ts'
export * from './key-limiter.ts'
export { keyLimiters, type LimiterKind } from './key-limiters.ts'
export * from './limited-gateway.ts'
export * from './rate-headers.ts'
export * from './seeded-bugs.ts'
