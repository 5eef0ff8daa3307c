/**
 * `eh_web_hook_handler`: sends events to a URL, in the background, once each. Source: docs/reference/events.md#event-list,
 * docs/reference/redis-records.md#sent-web-hooks. Redirects are not followed, and nothing is repeated.
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
  /** For how long the same body is not sent again; `undefined`: for ever. */
  readonly quietMs: number | undefined
}

export type HookResult = 'sent' | 'failed' | 'repeated' | 'dropped'

export interface HookServices {
  readonly clock: Clock
  readonly log: Log
  readonly dedupKeys: DedupKeys
  readonly links: HookLinks
  /** Hears that an event was taken, then, once, what came of it. */
  readonly taken: () => void
  readonly count: (result: HookResult) => void
}

const timeoutMs = 30_000
/** An answer says nothing to us; so much of it is read to keep the connection. */
const answerBytes = 64 * 1024

export function makeWebHook(hook: WebHook, tools: HookServices): EventHandler {
  const { log, dedupKeys, links, count } = tools
  // The path of a hook's URL is often its secret.
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
    if (problem !== undefined) log.error('a web hook could not be called', { event: event.name, host, reason: problem })
  }
  const queue = makeDeliveryQueue<GatewayEvent>({
    clock: tools.clock,
    deliver: (event) =>
      deliver(event).catch((cause: unknown) => {
        count('failed')
        log.error('a web hook failed', { event: event.name, host, cause: String(cause) })
      }),
  })

  return {
    handle(event) {
      tools.taken()
      if (!queue.push(event)) count('dropped')
    },
  } satisfies EventHandler
}

function bodyOf({ template }: WebHook, event: GatewayEvent): string | { readonly problem: string } {
  if (template === undefined) return defaultBody(event)
  const rendered = template.render(event)
  return rendered.problem === undefined ? rendered.text : rendered
}

/** Without the store nobody knows; then the event is told rather twice than never. */
async function isNew(dedupKeys: DedupKeys, name: string, quietMs: number | undefined): Promise<boolean> {
  try {
    return await dedupKeys.claim(name, quietMs)
  } catch {
    return true
  }
}

/** What went wrong; `undefined`: the hook was called and did not refuse. */
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
  if (result.kind === 'fault') return result.reason
  if (result.body !== undefined && !(result.body instanceof Uint8Array)) {
    // Longer or broken answers end the connection, and nothing else.
    await collect(result.body, answerBytes).catch(() => undefined)
  }
  return result.status < 400 ? undefined : `answered ${result.status}`
}
