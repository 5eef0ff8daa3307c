/** The helpers that the gateway runs for scripts (docs/reference/scripts.md#script-helpers). */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import { parseJson } from '../../definition/parse-definition.ts'
import { isJson } from '../../lib/json.ts'
import type { Maybe } from '../../lib/maybe.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { ScriptHelper, ScriptHost } from '../../ports/script.ts'
import type { GatewaySettings } from '../../ports/settings.ts'
import type { Upstream, UpstreamOptions } from '../../ports/upstream.ts'
import type { ScriptKeys } from '../../session/registry/script-keys.ts'
import { parseSession } from '../../session/session-json.ts'
import { upstreamOptions } from '../shared/upstream-target.ts'
import { makeBatchRequest, makeHttpRequest } from './script-http.ts'

export interface ScriptHostServices {
  readonly keys: ScriptKeys
  readonly upstream: Upstream
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  readonly settings: GatewaySettings
  /** Definitions that are served now. */
  apis(): readonly ApiDefinition[]
}

type Helper = (...args: string[]) => Maybe<string | undefined>

/** `api` decides TLS and proxy of HTTP requests; `undefined`: scripts of events, which belong to no API. */
export function makeScriptHost(
  api: ApiDefinition | undefined,
  { keys, upstream, clock, apis, settings }: ScriptHostServices,
  timeoutMs: number,
): ScriptHost['run'] {
  const http = {
    upstream,
    clock,
    timeoutMs,
    optionsFor(origin: string, host: string): UpstreamOptions {
      const options =
        api === undefined ? { insecure: false } : upstreamOptions(origin, host, { api, services: { settings } })
      if (settings.upstream.publicUrlsOnly !== true) return options
      // The proxy of a definition could be a private host, and it would choose the address of the URL.
      const { proxyUrl: _, ...direct } = options
      return { ...direct, publicOnly: true }
    },
  }
  const helpers: Readonly<Record<ScriptHelper, Helper>> = {
    'http-request': makeHttpRequest(http),
    'batch-request': makeBatchRequest(http),
    async 'get-key'(key = '', apiId = '') {
      const orgId = apis().find(({ id }) => id === apiId)?.orgId ?? ''
      return JSON.stringify((await keys.read(key, orgId)) ?? { status: 'error', message: 'Key not found' })
    },
    async 'set-key'(key = '', text = '', keep = '') {
      const parsed = parseJson(text)
      if (parsed.problem !== undefined || !isJson(parsed.value) || key === '') return undefined
      const { session } = parseSession(parsed.value)
      if (session !== undefined) await keys.store(key, session, keep === '1')
      return undefined
    },
  }
  return (helper, args, dry) => (dry && helper !== 'get-key' ? undefined : helpers[helper](...args))
}
