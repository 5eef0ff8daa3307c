/**
 * Notifies the server in `notifications.oauth_on_keychange_url` of every grant, with a few retries.
 * Source: docs/reference/oauth-endpoints.md#grant-notifications.
 */
import { parseTargetUrl, type TargetUrl } from '@turnpike/core/definition'
import { collect } from '@turnpike/core/http'
import { utf8Bytes } from '@turnpike/core/lib'
import { type HookLinks, requestTarget } from '@turnpike/core/observability'
import type { Clock, Log, UpstreamLink } from '@turnpike/core/ports'

/** An issued token, as the server is notified of it. */
export interface GrantNotification {
  readonly authCode: string
  readonly accessToken: string
  readonly refreshToken: string
  readonly oldRefreshToken: string
  readonly type: 'new' | 'refresh'
}

export interface GrantNotifierServices {
  readonly links: HookLinks
  readonly clock: Pick<Clock, 'after'>
  readonly log: Log
  /** Vendor word in lower case, for the name of the header with the secret. */
  readonly vendor: string
}

const repeats = 3
const pauseMs = 10_000
const timeoutMs = 30_000
/** Maximum number of notifications that wait for a retry, so that a server that is down does not use up memory. */
const maxWaiting = 1000
/** Number of bytes of a response that are read so that the connection can be reused. */
const responseBytes = 64 * 1024

/** Returns a function that notifies in the background and never throws; `undefined` without a valid URL. */
export function makeGrantNotifier(
  api: { readonly id: string; readonly url: string; readonly sharedSecret: string },
  { links, clock, log, vendor }: GrantNotifierServices,
): ((notification: GrantNotification) => void) | undefined {
  if (api.url === '') return undefined
  const target = parseTargetUrl(api.url)
  if (target === undefined || target.origin === '') {
    log.error('notifications.oauth_on_keychange_url is not a valid URL', { api: api.id })
    return undefined
  }
  const headers = ['content-type', 'application/json', `x-${vendor}-shared-secret`, api.sharedSecret]
  let waiting = 0

  const attempt = async (body: Uint8Array, left: number): Promise<void> => {
    const problem = await links
      .use(target.origin, (link) => post(link, target, headers, body))
      .catch((cause: unknown) => String(cause))
    if (problem === undefined) return
    const facts = { api: api.id, host: target.authority, reason: problem }
    if (left === 0 || waiting >= maxWaiting) {
      log.error('the notification of an OAuth grant could not be delivered', facts)
      return
    }
    log.warn('the notification of an OAuth grant failed and is sent again', facts)
    waiting += 1
    clock.after(pauseMs, () => {
      waiting -= 1
      void attempt(body, left - 1)
    })
  }

  return (notification) => {
    const body = JSON.stringify({
      auth_code: notification.authCode,
      new_oauth_token: notification.accessToken,
      refresh_token: notification.refreshToken,
      old_refresh_token: notification.oldRefreshToken,
      notification_type: notification.type,
    })
    void attempt(utf8Bytes(body), repeats)
  }
}

/** Returns the error; `undefined` if the notification was delivered. */
async function post(
  link: UpstreamLink,
  target: TargetUrl,
  headers: readonly string[],
  body: Uint8Array,
): Promise<string | undefined> {
  const response = await link.send({
    method: 'POST',
    path: requestTarget(target),
    headers: ['host', target.authority, ...headers],
    body,
    bodyLength: body.length,
    timeoutMs,
    unpack: false,
  })
  if (response.kind === 'error') return response.reason
  if (response.body !== undefined && !(response.body instanceof Uint8Array)) {
    await collect(response.body, responseBytes).catch(() => undefined)
  }
  return response.status < 400 ? undefined : `the server responded with ${response.status}`
}
