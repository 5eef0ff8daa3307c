export * from './wire/shape.ts'
export * from './session/session.ts'
export * from './session/policy.ts'
export * from './http.ts'
