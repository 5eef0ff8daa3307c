import {
  type Clock,
  collect,
  type HookLinks,
  type Log,
  parseTargetUrl,
  requestTarget,
  type TargetUrl,
  type UpstreamLink,
  utf8Bytes,
} from '@turnpike/core'
/**
 * Notifies the server in `notifications.oauth_on_keychange_url` of every grant, with a few retries. Source: docs/reference/oauth-endpoints.md#token-endpoint.
 */

export interface KeyChange {
  readonly authCode: string
  readonly accessToken: string
  readonly refreshToken: string
  readonly oldRefreshToken: string
  readonly type: 'new' | 'refresh'
}

export interface KeyChangeParts {
  readonly links: HookLinks
  readonly clock: Pick<Clock, 'after'>
  readonly log: Log
  /** Vendor word in lower case, for the name of the header with the secret. */
  readonly vendor: string
}

const repeats = 3
const pauseMs = 10_000
const timeoutMs = 30_000
/** Maximum number of notices that wait for a retry, so that a server that is down does not use up memory. */
const maxWaiting = 1000
/** Number of bytes of a response that are read so that the connection can be reused. */
const responseBytes = 64 * 1024

/** Sends a notice in the background; never throws. `undefined` without a valid URL. */
export function makeKeyChangeNotice(
  api: { readonly id: string; readonly url: string; readonly sharedSecret: string },
  { links, clock, log, vendor }: KeyChangeParts,
): ((change: KeyChange) => void) | undefined {
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
      log.error('the notice of an OAuth token could not be delivered', facts)
      return
    }
    log.warn('the server for notices of OAuth tokens cannot be reached', facts)
    waiting += 1
    clock.after(pauseMs, () => {
      waiting -= 1
      void attempt(body, left - 1)
    })
  }

  return (change) => {
    const body = JSON.stringify({
      auth_code: change.authCode,
      new_oauth_token: change.accessToken,
      refresh_token: change.refreshToken,
      old_refresh_token: change.oldRefreshToken,
      notification_type: change.type,
    })
    void attempt(utf8Bytes(body), repeats)
  }
}

/** The error; `undefined` if the notice was delivered. */
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
  return response.status < 400 ? undefined : `answered ${response.status}`
}
