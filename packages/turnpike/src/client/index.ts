export type { ApiDefinition, Calls, Done, Policy, Session, StatusMessage } from './generated/calls.ts'
export * from './make-client.ts'
export * from './result.ts'
