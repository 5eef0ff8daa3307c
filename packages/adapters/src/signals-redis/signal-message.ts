/**
 * Converts signals to cluster messages and back. Signals use the commands of existing nodes where one exists. All others
 * use the command `TurnpikeSignal`, which existing nodes log and ignore.
 */
import { parseJsonObject } from '@turnpike/core/lib'
import type { Signal } from '@turnpike/core/ports'
import type { Message } from './message-codec.ts'

/** Command of signals without a command of existing nodes. The payload is the signal as JSON. */
const ownCommand = 'TurnpikeSignal'

/** Commands that reload definitions and policies. Their payload is ignored. */
const reloads: ReadonlySet<string> = new Set(['GroupReload', 'ApiUpdated', 'ApiRemoved', 'ApiAdded', 'PolicyChanged'])

/** Commands of dashboards and remote configuration, which this gateway does not support. */
const ignored: ReadonlySet<string> = new Set([
  'NoticeDashboardZeroConf',
  'NoticeConfigUpdated',
  'NoticeDashboardConfigRequest',
  'NoticeGatewayConfigResponse',
  'UserKeyReset',
])

export function toMessage(signal: Signal): Message {
  switch (signal.kind) {
    case 'reload':
      return { command: 'GroupReload', payload: '' }
    case 'key-changed':
      return { command: 'KeySpaceUpdateNotification', payload: signal.storedName }
    case 'org-changed':
      return { command: 'KeySpaceUpdateNotification', payload: signal.orgId, about: 'organisation' }
    case 'cache-invalidated':
      return { command: 'DeleteAPICache', payload: signal.apiId }
    case 'key-sets-changed':
      return { command: 'InvalidateJWKSCacheForAPI', payload: signal.apiId }
    case 'purge-expired-tokens':
      return { command: 'OAuthPurgeLapsedTokens', payload: '' }
    default:
      return { command: ownCommand, payload: JSON.stringify(signal) }
  }
}

/** Returns the signals of a message, or `undefined` if its command is unknown. */
export function toSignals({ command, payload, about }: Message): readonly Signal[] | undefined {
  if (reloads.has(command)) return [{ kind: 'reload' }]
  if (ignored.has(command)) return []
  switch (command) {
    case 'KeySpaceUpdateNotification':
      if (about === 'organisation') return [{ kind: 'org-changed', orgId: payload }]
      return namesIn(payload).map((storedName) => ({ kind: 'key-changed', storedName }))
    case 'DeleteAPICache':
      return [{ kind: 'cache-invalidated', apiId: payload }]
    case 'InvalidateJWKSCacheForAPI':
      return [{ kind: 'key-sets-changed', apiId: payload }]
    case 'OAuthPurgeLapsedTokens':
      return [{ kind: 'purge-expired-tokens' }]
    case ownCommand:
      return ownSignal(payload)
    default:
      return undefined
  }
}

/**
 * Splits a payload of names that are separated by commas and end at the first colon. Key names can contain commas and
 * colons, so the whole payload is included as a name. A wrong name only evicts a cache entry that is read again.
 */
function namesIn(payload: string): string[] {
  const names = payload.split(',').map((name) => name.split(':', 1)[0] as string)
  return [...new Set([...names, payload])].filter((name) => name !== '')
}

/**
 * Makes the signal of its known fields. Kinds of other versions, fields of another type and further fields have no effect,
 * because every process with access to the Redis can send them.
 */
function ownSignal(payload: string): readonly Signal[] {
  const { kind, id } = parseJsonObject(payload) ?? {}
  return kind === 'certificate-changed' && typeof id === 'string' ? [{ kind, id }] : []
}
