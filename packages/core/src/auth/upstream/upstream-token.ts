/**
 * An access token for the upstream, from the token endpoint of an authorization server (RFC 6749 sections 4.3 and 4.4). It
 * is cached until shortly before it expires. Concurrent requests share one call. Source:
 * docs/reference/upstream-authentication.md#access-tokens.
 */
import { isJson } from '../../lib/json.ts'
import type { Maybe } from '../../lib/maybe.ts'
import { encodeBase64 } from '../../lib/text/base64.ts'
import { readJson } from '../../lib/text/read-json.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'
import type { Clock, Millis } from '../../ports/clock.ts'
import type { Fetch, FetchResponse } from '../../ports/fetch.ts'
import type { Log } from '../../ports/log.ts'

export interface TokenGrant {
  readonly tokenUrl: string
  readonly clientId: string
  readonly clientSecret: string
  /** Fields of the request besides those of the client. */
  readonly fields: Readonly<Record<string, string>>
}

export interface UpstreamTokenOptions {
  readonly apiId: string
  readonly fetch: Pick<Fetch, 'postForm'>
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  /** Do not verify the certificate of the authorization server. */
  readonly insecure: boolean
}

/** Lifetime of a token without `expires_in`. */
const defaultLifetimeMs = 300_000
/** A token is renewed this long before it expires, so that it is still valid when it arrives. */
const marginMs = 10_000
/** Pause after a failure, in which requests fail without a call. */
const failurePauseMs = 1_000
/** An access token in a header (RFC 6750 section 2.1). */
const tokenShape = /^[\x21-\x7e]+$/

export class UpstreamToken {
  private readonly grant: TokenGrant
  private readonly options: UpstreamTokenOptions
  private token: string | undefined = undefined
  private renewsAt: Millis = Number.NEGATIVE_INFINITY
  private failedAt: Millis = Number.NEGATIVE_INFINITY
  private pending: Promise<string | undefined> | undefined = undefined
  /** The server did not accept the client's credentials in the header `Authorization`. */
  private inBody = false

  constructor(grant: TokenGrant, options: UpstreamTokenOptions) {
    this.grant = grant
    this.options = options
  }

  /** Returns without a promise if a token is cached; `undefined` if there is none. Never rejects. */
  find(): Maybe<string | undefined> {
    const now = this.options.clock.now()
    if (now < this.renewsAt) return this.token
    if (this.pending === undefined && now - this.failedAt < failurePauseMs) return undefined
    this.pending ??= this.renew().finally(() => {
      this.pending = undefined
    })
    return this.pending
  }

  private async renew(): Promise<string | undefined> {
    const { clock, log, apiId } = this.options
    try {
      const { token, lifetimeMs } = readToken(await this.request())
      this.token = token
      this.renewsAt = clock.now() + Math.max(lifetimeMs - marginMs, lifetimeMs / 2)
      return token
    } catch (cause) {
      this.failedAt = clock.now()
      log.warn('no access token for the upstream', { api: apiId, reason: String(cause) })
      return undefined
    }
  }

  /** Servers must accept client credentials in the header (RFC 6749 section 2.3.1), but some accept them only in the body. */
  private async request(): Promise<FetchResponse> {
    if (this.inBody) return this.post(true)
    const response = await this.post(false)
    if (response.status !== 400 && response.status !== 401) return response
    const second = await this.post(true)
    this.inBody = second.status === 200
    return this.inBody ? second : response
  }

  private post(inBody: boolean): Promise<FetchResponse> {
    const { tokenUrl, clientId, clientSecret, fields } = this.grant
    const { fetch, insecure } = this.options
    if (!inBody) {
      const pair = utf8Bytes(`${encodeForm(clientId)}:${encodeForm(clientSecret)}`)
      return fetch.postForm(tokenUrl, formOf(fields), { insecure, authorization: `Basic ${encodeBase64(pair)}` })
    }
    return fetch.postForm(tokenUrl, formOf({ ...fields, client_id: clientId, client_secret: clientSecret }), {
      insecure,
    })
  }
}

function readToken({ status, body }: FetchResponse): { readonly token: string; readonly lifetimeMs: Millis } {
  const { value } = status === 200 ? withValue(body) : { value: undefined }
  const token = isJson(value) ? value['access_token'] : undefined
  if (typeof token !== 'string' || !tokenShape.test(token)) {
    throw new Error(`the authorization server returned status ${status} without an access token`)
  }
  const seconds = Number((value as Record<string, unknown>)['expires_in'])
  return { token, lifetimeMs: seconds > 0 ? seconds * 1000 : defaultLifetimeMs }
}

function withValue(body: Uint8Array): { readonly value: unknown } {
  const read = readJson(body)
  return { value: read.problem === undefined ? read.value : undefined }
}

function formOf(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${encodeForm(name)}=${encodeForm(value)}`)
    .join('&')
}

/** Encodes for application/x-www-form-urlencoded. */
function encodeForm(text: string): string {
  return encodeURIComponent(text)
    .replace(/[!'()~]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+')
}
