export type { Calls } from './generated/calls.ts'
export * from './generated/documents.ts'
export * from './make-client.ts'
export * from './result.ts'
