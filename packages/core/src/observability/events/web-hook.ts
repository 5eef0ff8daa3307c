/**
 * `eh_web_hook_handler`: sends events to a URL, in the background, once each. Source: docs/reference/events.md#event-list,
 * docs/reference/redis-records.md#sent-web-hooks. Redirects are not followed, and nothing is repeated.
 * `dispatch-events.ts` decides which hooks get an event.
 */

import type { TargetUrl } from '../../definition/target-url.ts'
import { collect } from '../../http/byte-stream.ts'
import type { HeaderPairs } from '../../http/headers.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'
import type { Clock } from '../../ports/clock.ts'
import type { DedupKeys } from '../../ports/dedup-keys.ts'
import type { Log } from '../../ports/log.ts'
import type { UpstreamLink } from '../../ports/upstream.ts'
import { defaultBody } from './default-body.ts'
import { makeDeliveryQueue } from './delivery-queue.ts'
import type { GatewayEvent } from './event.ts'
import type { EventHandler } from './event-handler.ts'
import type { EventTemplate } from './event-template.ts'
import { hookDedupKey, requestTarget } from './hook-dedup-key.ts'
import type { HookLinks } from './hook-links.ts'

export interface WebHook {
  readonly method: string
  readonly target: TargetUrl
  /** Lower-case names. */
  readonly headers: HeaderPairs
  /** `undefined`: the default body. */
  readonly template: EventTemplate | undefined
  /** How long an equal request is not repeated, in ms; `undefined`: never repeated. */
  readonly quietMs: number | undefined
}

export type HookResult = 'sent' | 'failed' | 'repeated' | 'dropped'

export interface HookServices {
  readonly clock: Clock
  readonly log: Log
  readonly dedupKeys: DedupKeys
  readonly links: HookLinks
  /** Called when an event is queued; `count` is then called once with the result. */
  readonly taken: () => void
  readonly count: (result: HookResult) => void
}

const timeoutMs = 30_000
/** Response bodies are discarded; up to this many bytes are read so that the connection can be reused. */
const maxDiscardedBytes = 64 * 1024

export function makeWebHook(hook: WebHook, services: HookServices): EventHandler {
  const { log, dedupKeys, links, count } = services
  // The path of a hook URL often contains a secret, so only the host is logged.
  const host = hook.target.authority

  const deliver = async (event: GatewayEvent): Promise<void> => {
    const body = bodyOf(hook, event)
    if (typeof body !== 'string') {
      count('failed')
      log.error('the template of a web hook failed', { event: event.name, host, reason: body.problem })
      return
    }
    if (!(await isNew(dedupKeys, hookDedupKey(hook.method, hook.target, body), hook.quietMs))) {
      count('repeated')
      return
    }
    const problem = await links.use(hook.target.origin, (link) => send(link, hook, body))
    count(problem === undefined ? 'sent' : 'failed')
    if (problem !== undefined) log.error('cannot call a web hook', { event: event.name, host, reason: problem })
  }
  const queue = makeDeliveryQueue<GatewayEvent>({
    clock: services.clock,
    deliver: (event) =>
      deliver(event).catch((cause: unknown) => {
        count('failed')
        log.error('a web hook failed', { event: event.name, host, cause: String(cause) })
      }),
  })

  return {
    handle(event) {
      services.taken()
      if (!queue.push(event)) count('dropped')
    },
  } satisfies EventHandler
}

function bodyOf({ template }: WebHook, event: GatewayEvent): string | { readonly problem: string } {
  if (template === undefined) return defaultBody(event)
  const rendered = template.render(event)
  return rendered.problem === undefined ? rendered.text : rendered
}

/** If the store is unavailable, the hook is sent: a duplicate is better than a lost event. */
async function isNew(dedupKeys: DedupKeys, name: string, quietMs: number | undefined): Promise<boolean> {
  try {
    return await dedupKeys.claim(name, quietMs)
  } catch {
    return true
  }
}

/** Sends the hook; returns the problem, or `undefined` on success. */
async function send(link: UpstreamLink, hook: WebHook, body: string): Promise<string | undefined> {
  const bytes = utf8Bytes(body)
  const result = await link.send({
    method: hook.method,
    path: requestTarget(hook.target),
    headers: ['host', hook.target.authority, ...hook.headers],
    body: bytes,
    bodyLength: bytes.length,
    timeoutMs,
    unpack: false,
  })
  if (result.kind === 'error') return result.reason
  if (result.body !== undefined && !(result.body instanceof Uint8Array)) {
    // A longer or incomplete body only closes the connection.
    await collect(result.body, maxDiscardedBytes).catch(() => undefined)
  }
  return result.status < 400 ? undefined : `responded with ${result.status}`
}
