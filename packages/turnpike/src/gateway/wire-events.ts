/** Configures the events of one gateway: handlers of the configuration, the quota monitor, and template files. */
import {
  type Clock,
  type DedupKeys,
  hashKeyName,
  type KeyEvent,
  type Log,
  makeEvents,
  type ReadTemplate,
  type RunEventScript,
  type RunningEvents,
  type Upstream,
} from '@turnpike/core'
import type { GatewayConfig } from '../config/config-shape.ts'

export interface EventDependencies {
  readonly config: GatewayConfig
  readonly readTemplate: ReadTemplate
  readonly clock: Clock
  readonly log: Log
  readonly upstream: Upstream
  readonly dedupKeys: DedupKeys
  /** Runs event scripts; it is set once the engine exists. */
  readonly eventScripts: EventScriptRunner
}

/** Connects event handlers to the engine, which is created after them. */
export interface EventScriptRunner {
  run: RunEventScript | undefined
}

export interface WiredEvents {
  readonly events: RunningEvents
  /** Fires the events of created, changed and removed keys. */
  readonly announce: (event: KeyEvent) => void
}

export function wireEvents({
  config,
  readTemplate,
  clock,
  log,
  upstream,
  dedupKeys,
  eventScripts,
}: EventDependencies): WiredEvents {
  const { enableTriggerMonitors, configuration, globalTriggerLimit, monitorUserKeys, monitorOrgKeys } = config.monitor
  const events = makeEvents({
    clock,
    log,
    upstream,
    dedupKeys,
    vendor: config.vendor,
    insecure: config.proxySslInsecureSkipVerify,
    publicOnly: config.privateUrls === 'forbid',
    handlers: config.eventHandlers.events,
    monitor: enableTriggerMonitors
      ? { globalLimit: globalTriggerLimit, userKeys: monitorUserKeys, orgKeys: monitorOrgKeys, hook: configuration }
      : undefined,
    readTemplate,
    runScript: config.enableJsvm ? (...call) => eventScripts.run?.(...call) : undefined,
  })
  return {
    events,
    announce: ({ name, message, orgId, keyName }) =>
      events.fire({
        name,
        api: undefined,
        at: clock.now(),
        facts: { about: 'key', message, orgId, key: keyName, keyLogName: hashKeyName(keyName) },
      }),
  }
}
