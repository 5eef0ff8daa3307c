/** One HTTP request and its complete response over node:http. Nothing of the request or of the response is changed. */
import { type IncomingMessage, request as requestOverHttp } from 'node:http'
import { type RequestOptions, request as requestOverTls } from 'node:https'

export interface CertificateCheck {
  /** Certificates of authorities, in PEM format, that are trusted instead of those of Node. */
  readonly ca?: string
  /** Accepts any certificate. Default false. */
  readonly acceptsAnyCertificate?: boolean
}

export interface HttpExchangeOptions extends CertificateCheck {
  /** A request to `https:` is sent over TLS. */
  readonly request: RequestOptions
  readonly body: string | Uint8Array | undefined
  /** For the request and its complete response. */
  readonly timeoutMs: number
  /** Message of the error after `timeoutMs`. */
  readonly timeoutMessage: string
  /** Source address. Default: chosen by the system. */
  readonly localAddress?: string | undefined
}

export interface HttpExchange {
  /** Milliseconds since the Unix epoch on a clock that never steps, with fractions. */
  readonly sentAt: number
  /** When the head of the response arrived. */
  readonly answeredAt: number
  readonly response: IncomingMessage
  readonly body: Buffer
}

/** Milliseconds since the Unix epoch on a clock that never steps, with fractions. */
export const clockMs = () => performance.timeOrigin + performance.now()

/** Sends the request, and once more if it was sent on a kept connection that the server closed at the same time. */
export async function exchangeOverHttp(options: HttpExchangeOptions): Promise<HttpExchange> {
  try {
    return await exchangeOnce(options)
  } catch (cause) {
    if (!(cause instanceof ClosedConnection)) throw cause
    return exchangeOnce({ ...options, request: { ...options.request, agent: false } })
  }
}

/** A kept connection that the server closed while the request was sent. The request was not handled. */
class ClosedConnection extends Error {}

function exchangeOnce(options: HttpExchangeOptions): Promise<HttpExchange> {
  const { ca, acceptsAnyCertificate, localAddress, timeoutMs } = options
  const send = options.request.protocol === 'https:' ? requestOverTls : requestOverHttp
  return new Promise((resolve, reject) => {
    const sentAt = clockMs()
    const request = send({
      ...options.request,
      ...(localAddress !== undefined && { localAddress }),
      ...(ca !== undefined && { ca }),
      ...(acceptsAnyCertificate === true && { rejectUnauthorized: false }),
    })
    const timer = setTimeout(() => request.destroy(new Error(options.timeoutMessage)), timeoutMs)
    const fail = (cause: Error) => {
      clearTimeout(timer)
      const isClosed = request.reusedSocket && (cause as NodeJS.ErrnoException).code === 'ECONNRESET'
      reject(isClosed ? new ClosedConnection(cause.message) : cause)
    }
    request.once('error', fail)
    request.once('response', (response) => {
      const answeredAt = clockMs()
      readBody(response)
        .then((body) => {
          clearTimeout(timer)
          resolve({ sentAt, answeredAt, response, body })
        })
        .catch(fail)
    })
    request.end(options.body)
  })
}

async function readBody(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
