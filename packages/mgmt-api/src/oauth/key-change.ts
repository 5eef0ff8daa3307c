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
 * Tells a server of the API's owner of every grant, by `notifications.oauth_on_keychange_url`. What cannot be delivered
 * is tried again, a few times. Source: docs/reference/oauth-endpoints.md#token-endpoint.
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
  /** For the name of the secret's header, in lower case. */
  readonly vendor: string
}

const repeats = 3
const pauseMs = 10_000
const timeoutMs = 30_000
/** Most notices that wait for another try: a server that is away must not cost memory. */
const mostWaiting = 1000
/** So much of a response is read to keep the connection. */
const responseBytes = 64 * 1024

/** Sends a notice in the background; never throws. `undefined`: nobody is to be told, or the URL is none. */
export function makeKeyChangeNotice(
  api: { readonly id: string; readonly url: string; readonly sharedSecret: string },
  { links, clock, log, vendor }: KeyChangeParts,
): ((change: KeyChange) => void) | undefined {
  if (api.url === '') return undefined
  const target = parseTargetUrl(api.url)
  if (target === undefined || target.origin === '') {
    log.error('the URL to be told of OAuth tokens is none', { api: api.id })
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
    if (left === 0 || waiting >= mostWaiting) {
      log.error('nobody could be told of an OAuth token', facts)
      return
    }
    log.warn('the server to be told of OAuth tokens cannot be reached', facts)
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

/** What went wrong; `undefined`: it was delivered. */
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
