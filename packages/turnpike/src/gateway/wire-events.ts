/** Events of one gateway: handlers of its configuration, the quota monitor, and templates from files. */
import { readFileSync } from 'node:fs'
import { isAbsolute, join, relative, resolve } from 'node:path'
import {
  type Clock,
  hashKeyName,
  type KeyEvent,
  type Log,
  type Marks,
  makeEvents,
  type RunningEvents,
  type Upstream,
} from '@turnpike/core'
import type { GatewayConfig } from '../config/config-shape.ts'

export interface EventParts {
  readonly config: GatewayConfig
  /** Where relative names of templates begin: the configuration file's folder. */
  readonly folder: string
  readonly clock: Clock
  readonly log: Log
  readonly upstream: Upstream
  readonly marks: Marks
}

export interface WiredEvents {
  readonly events: RunningEvents
  /** For the registry of keys: keys that were made, changed or removed. */
  readonly announce: (event: KeyEvent) => void
}

export function wireEvents({ config, folder, clock, log, upstream, marks }: EventParts): WiredEvents {
  const { enableTriggerMonitors, configuration, globalTriggerLimit, monitorUserKeys, monitorOrgKeys } = config.monitor
  const events = makeEvents({
    clock,
    log,
    upstream,
    marks,
    vendor: config.vendor,
    insecure: config.proxySslInsecureSkipVerify,
    handlers: config.eventHandlers.events,
    monitor: enableTriggerMonitors
      ? { globalLimit: globalTriggerLimit, userKeys: monitorUserKeys, orgKeys: monitorOrgKeys, hook: configuration }
      : undefined,
    readTemplate: makeReadTemplate(folder, [config.templatePath, config.middlewarePath]),
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

/**
 * Reads a template by its name from the configuration's folder or one of the others. Definitions come over the
 * management API too, and what a template says is sent away; so only files below the others are read, wherever a name
 * leads: beside the configuration lie its secrets.
 */
function makeReadTemplate(from: string, folders: readonly string[]): (path: string) => string | undefined {
  const roots = folders.filter((folder) => folder !== '').map((folder) => resolve(folder))
  const isInside = (file: string) =>
    roots.some((root) => {
      const way = relative(root, file)
      return way !== '' && !way.startsWith('..') && !isAbsolute(way)
    })
  return (path) => {
    const files = isAbsolute(path) ? [path] : [from, ...roots].map((folder) => resolve(join(folder, path)))
    for (const file of files.filter(isInside)) {
      try {
        return readFileSync(file, 'utf8')
      } catch {
        // The next folder may have it; a hook whose template nobody has is told by the engine.
      }
    }
    return undefined
  }
}
