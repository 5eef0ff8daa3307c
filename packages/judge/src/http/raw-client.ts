/** An HTTP client that sends targets exactly as given: no dot segment is resolved and no escape is changed. */
import { type Agent, request as httpRequest, Agent as PlainAgent } from 'node:http'
import { request as httpsRequest, Agent as SecureAgent } from 'node:https'

/** Header fields by lower-case name; several fields of one name are joined by `, `. */
export type HeaderFields = Readonly<Record<string, string>>

export interface TargetUrl {
  readonly secure: boolean
  readonly hostname: string
  readonly port: number
  /** Path and query as written. */
  readonly path: string
  /** The URL as written. */
  readonly text: string
}

export interface RawRequest {
  readonly method: string
  readonly target: TargetUrl
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Source address, such as 127.0.0.2. Default: chosen by the system. */
  readonly localAddress?: string
}

export interface RawResponse {
  readonly sentAt: number
  readonly answeredAt: number
  readonly status: number
  readonly headers: HeaderFields
  /** At most 256 KiB. */
  readonly body: string
}

export interface RawClient {
  /** Resolves with the response. Rejects if there is none within the time limit. */
  send(request: RawRequest): Promise<RawResponse>
  close(): void
}

const maxBodyBytes = 256 * 1024

/** Milliseconds since the Unix epoch on a clock that never steps, with fractions. */
export const clockMs = () => performance.timeOrigin + performance.now()

/** Parses a URL without normalising it. Returns the reason if it is not one. */
export function parseTarget(text: string): TargetUrl | { readonly problem: string } {
  const match = /^(https?):\/\/(\[[0-9a-fA-F:.]+\]|[^/?#:@\s]+)(?::(\d{1,5}))?([/?][^#]*)?(#.*)?$/i.exec(text)
  if (match === null) return { problem: `${text} is not a URL; write http://HOST:PORT/PATH` }
  const [, scheme = '', host = '', port, path = '/', fragment] = match
  if (fragment !== undefined) return { problem: `${text} has a fragment, which is never sent; remove ${fragment}` }
  if (/[^\x21-\x7e]/.test(path))
    return { problem: `${text} has a character that a request cannot contain; percent-encode it` }
  const secure = scheme.toLowerCase() === 'https'
  return {
    secure,
    hostname: host.replace(/^\[|\]$/g, ''),
    port: port === undefined ? (secure ? 443 : 80) : Number(port),
    path: path.startsWith('?') ? `/${path}` : path,
    text,
  }
}

/** How the certificate of a gateway is checked. */
export interface CertificateCheck {
  /** Certificates of authorities, in PEM format, that are trusted instead of those of Node. */
  readonly ca?: string
  /** Accepts any certificate. Default false. */
  readonly acceptsAnyCertificate?: boolean
}

export function makeRawClient(options: CertificateCheck & { readonly timeoutMs: number }): RawClient {
  const settings = { keepAlive: true, maxSockets: 512, scheduling: 'lifo' } as const
  const plain = new PlainAgent(settings)
  const { ca, acceptsAnyCertificate } = options
  const secure = new SecureAgent({
    ...settings,
    ...(ca !== undefined && { ca }),
    ...(acceptsAnyCertificate === true && { rejectUnauthorized: false }),
  })
  return {
    async send(request) {
      try {
        return await exchange(request, request.target.secure ? secure : plain, options.timeoutMs)
      } catch (cause) {
        // The gateway closed the idle connection while the request was on its way: it was not decided.
        if (!(cause instanceof StaleConnection)) throw cause
        return exchange(request, request.target.secure ? secure : plain, options.timeoutMs)
      }
    },
    close() {
      plain.destroy()
      secure.destroy()
    },
  }
}

class StaleConnection extends Error {}

function exchange(raw: RawRequest, agent: Agent, timeoutMs: number): Promise<RawResponse> {
  const { target, method, body } = raw
  const send = target.secure ? httpsRequest : httpRequest
  const headers: Record<string, string> = { ...raw.headers }
  if (body !== undefined) headers['Content-Length'] = String(Buffer.byteLength(body))
  return new Promise((resolve, reject) => {
    const sentAt = clockMs()
    const request = send({
      host: target.hostname,
      port: target.port,
      path: target.path,
      method,
      headers,
      agent,
      ...(raw.localAddress !== undefined && { localAddress: raw.localAddress }),
    })
    const timer = setTimeout(() => {
      request.destroy(new Error(`no response within ${timeoutMs / 1000} s`))
    }, timeoutMs)
    const fail = (cause: Error) => {
      clearTimeout(timer)
      const isStale = request.reusedSocket && 'code' in cause && cause.code === 'ECONNRESET'
      reject(isStale ? new StaleConnection(cause.message) : cause)
    }
    request.once('error', fail)
    request.once('response', (response) => {
      const answeredAt = clockMs()
      const parts: Buffer[] = []
      let bytes = 0
      response.on('data', (part: Buffer) => {
        if (bytes < maxBodyBytes) parts.push(part)
        bytes += part.length
      })
      response.once('error', fail)
      response.once('end', () => {
        clearTimeout(timer)
        const text = Buffer.concat(parts).subarray(0, maxBodyBytes).toString('utf8')
        resolve({
          sentAt,
          answeredAt,
          status: response.statusCode ?? 0,
          headers: fieldsOf(response.rawHeaders),
          body: text,
        })
      })
    })
    request.end(body)
  })
}

function fieldsOf(raw: readonly string[]): HeaderFields {
  const fields: Record<string, string> = {}
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = (raw[i] ?? '').toLowerCase()
    const value = raw[i + 1] ?? ''
    fields[name] = fields[name] === undefined ? value : `${fields[name]}, ${value}`
  }
  return fields
}
