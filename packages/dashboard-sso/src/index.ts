export * from './dashboard.ts'
export * from './dashboard-options.ts'
export * from './dashboard-parts.ts'
export { maxBodyBytes } from './http/read-text.ts'
