/**
 * Signals as messages of the cluster and back. What existing nodes have a command for goes by it, to the letter;
 * signals that they do not know go by one command of ours, which they log and pass over.
 */
import type { Signal } from '@turnpike/core'
import type { Message } from './message-codec.ts'

/** Carries a signal that has no recorded command, as JSON. */
const ownCommand = 'TurnpikeSignal'

/** Commands that mean a reload of definitions and policies; the payload does not matter. */
const reloads: ReadonlySet<string> = new Set(['GroupReload', 'ApiUpdated', 'ApiRemoved', 'ApiAdded', 'PolicyChanged'])

/** Commands of dashboards and remote configuration, of which there are none here. */
const passedOver: ReadonlySet<string> = new Set([
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
    case 'lapsed-tokens':
      return { command: 'OAuthPurgeLapsedTokens', payload: '' }
    default:
      return { command: ownCommand, payload: JSON.stringify(signal) }
  }
}

/** The signals of a message; `undefined`: nobody knows its command. */
export function toSignals({ command, payload, about }: Message): readonly Signal[] | undefined {
  if (reloads.has(command)) return [{ kind: 'reload' }]
  if (passedOver.has(command)) return []
  switch (command) {
    case 'KeySpaceUpdateNotification':
      if (about === 'organisation') return [{ kind: 'org-changed', orgId: payload }]
      return namesIn(payload).map((storedName) => ({ kind: 'key-changed', storedName }))
    case 'DeleteAPICache':
      return [{ kind: 'cache-invalidated', apiId: payload }]
    case 'InvalidateJWKSCacheForAPI':
      return [{ kind: 'key-sets-changed', apiId: payload }]
    case 'OAuthPurgeLapsedTokens':
      return [{ kind: 'lapsed-tokens' }]
    case ownCommand:
      return ownSignal(payload)
    default:
      return undefined
  }
}

/**
 * Names joined by commas, each up to its first colon. Names of keys may hold commas and colons themselves, so the
 * payload as it is counts as one too: forgetting too much costs a read.
 */
function namesIn(payload: string): string[] {
  const names = payload.split(',').map((name) => name.split(':', 1)[0] as string)
  return [...new Set([...names, payload])].filter((name) => name !== '')
}

/** What nodes of other versions send may be of any kind: whoever listens passes over what it does not know. */
function ownSignal(payload: string): readonly Signal[] {
  try {
    const signal: unknown = JSON.parse(payload)
    const isSignal = typeof signal === 'object' && signal !== null && typeof (signal as Signal).kind === 'string'
    return isSignal ? [signal as Signal] : []
  } catch {
    return []
  }
}
