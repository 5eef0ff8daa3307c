/** Several processes that are one gateway: messages between workers through their supervisor. */
export { makeGroupKeyLock, relayLocks } from './group-locks.ts'
export { GroupMember } from './group-member.ts'
export { GroupRelay } from './group-relay.ts'
export { joinReloads, relayReloads } from './group-reloads.ts'
export { makeGroupSignals } from './group-signals.ts'
export { type GroupChannel, type GroupMessage, groupMessageOf } from './messages.ts'
