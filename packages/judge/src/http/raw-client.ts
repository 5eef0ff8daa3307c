/** An HTTP client that sends targets exactly as given: no dot segment is resolved and no escape is changed. */
import { Agent as PlainAgent } from 'node:http'
import { Agent as SecureAgent } from 'node:https'
import { type CertificateCheck, exchangeOverHttp } from '@turnpike/exchange'
import { JudgeInputError } from '../judge-input.ts'

/** Header fields by lower-case name; several fields of one name are joined by `, `. */
export type HeaderFields = Readonly<Record<string, string>>

export interface TargetUrl {
  readonly secure: boolean
  readonly hostname: string
  readonly port: number
  /** Scheme, host and TCP port as written. */
  readonly origin: string
  /** Host and TCP port as written, for the header Host. */
  readonly host: string
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

const urlParts =
  /^(?<origin>(?<scheme>https?):\/\/(?<host>(?<hostname>\[[0-9a-f:.]+\]|[^/?#:@\s]+)(:(?<port>\d{1,5}))?))(?<path>[/?][^#]*)?(?<fragment>#.*)?$/i

/** Parses a URL without normalising it. Throws a `JudgeInputError` if it is not one. */
export function parseTarget(text: string): TargetUrl {
  const match = urlParts.exec(text)
  if (match === null) throw new JudgeInputError(`${text} is not a URL; write http://HOST:PORT/PATH`)
  const { origin = '', scheme = '', host = '', hostname = '', port, path = '/', fragment } = match.groups ?? {}
  if (fragment !== undefined)
    throw new JudgeInputError(`${text} has a fragment, which is never sent; remove ${fragment}`)
  if (/[^\x21-\x7e]/.test(path))
    throw new JudgeInputError(`${text} has a character that a request cannot contain; percent-encode it`)
  const secure = scheme.toLowerCase() === 'https'
  return {
    secure,
    origin,
    host,
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port: port === undefined ? (secure ? 443 : 80) : Number(port),
    path: path.startsWith('?') ? `/${path}` : path,
    text,
  }
}

const timeoutMs = 10_000

export function makeRawClient(certificateCheck: CertificateCheck): RawClient {
  const settings = { keepAlive: true, maxSockets: 512, scheduling: 'lifo' } as const
  const plain = new PlainAgent(settings)
  const secure = new SecureAgent(settings)
  return {
    async send({ target, method, headers, body, localAddress }) {
      const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
      const { response, ...received } = await exchangeOverHttp({
        ...certificateCheck,
        request: {
          protocol: target.secure ? 'https:' : 'http:',
          hostname: target.hostname,
          port: target.port,
          path: target.path,
          method,
          headers: { ...headers, ...length },
          agent: target.secure ? secure : plain,
        },
        body,
        timeoutMs,
        timeoutMessage: `no response within ${timeoutMs / 1000} s`,
        localAddress,
      })
      return {
        ...received,
        status: response.statusCode ?? 0,
        headers: fieldsOf(response.rawHeaders),
        body: received.body.subarray(0, maxBodyBytes).toString('utf8'),
      }
    },
    close() {
      plain.destroy()
      secure.destroy()
    },
  }
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
