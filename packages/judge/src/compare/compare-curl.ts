/** A line for bash that sends the requests of a trace to both gateways with curl. */
import { type ClientRequest, hasContentLength, repeatedSteps, type TraceStep, utf8Text } from '@turnpike/exchange'
import { type CertificateOptions, curlCertificateArguments } from '../http/certificate-check.ts'

export interface CurlTarget {
  readonly urls: readonly [string, string]
  readonly certificates: CertificateOptions
  /** Adds the key and the headers of all requests. */
  asSent(request: ClientRequest): ClientRequest
}

export function curlLine({ urls, certificates, asSent }: CurlTarget, trace: readonly TraceStep[]): string {
  const curl = ['curl', ...curlCertificateArguments(certificates, quote)].join(' ')
  const calls = repeatedSteps(trace).flatMap(({ step: { waitMs, request }, times }) => {
    const call = `${curl} ${curlArguments(asSent(request))}`
    const pause = waitMs > 0 ? [`sleep ${waitMs / 1000}`] : []
    return [...pause, times === 1 ? call : `for i in $(seq ${times}); do ${call}; done`]
  })
  return `for url in ${urls.map((url) => quote(url)).join(' ')}; do ${calls.join('; ')}; done`
}

/** curl adds these headers unless they are removed. */
const defaults = ['User-Agent', 'Accept']

function curlArguments({ method, url, headers, body }: ClientRequest): string {
  const names = new Set(headers.map(([name]) => name.toLowerCase()))
  const hasBody = hasContentLength({ method, body })
  const removed = [...defaults, ...(hasBody ? ['Content-Type'] : [])].filter((name) => !names.has(name.toLowerCase()))
  // biome-ignore lint/suspicious/noTemplateCurlyInString: bash expands it.
  const base = url.startsWith('/') ? '"${url%/}"' : '"$url"'
  return [
    String.raw`-sSig -w '\n' --path-as-is`,
    ...(method === 'HEAD' ? ['-I'] : method === 'GET' && !hasBody ? [] : ['-X', quote(method)]),
    ...removed.map((name) => `-H '${name}:'`),
    ...headers.map(([name, value]) => `-H ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`),
    ...(hasBody ? [bodyArgument(body ?? new Uint8Array())] : []),
    `${base}${url === '' ? '' : quote(url)}`,
  ].join(' ')
}

function bodyArgument(body: Uint8Array): string {
  const text = utf8Text(body)
  if (text !== undefined && !text.includes('\0')) return `--data-raw ${quote(text, 'utf8')}`
  return `--data-binary @<(echo ${Buffer.from(body).toString('base64')} | base64 -d)`
}

/** Quotes for bash, on one line. Headers are Latin-1 on the wire, bodies are UTF-8. */
function quote(text: string, encoding: 'latin1' | 'utf8' = 'latin1'): string {
  if (/^[\w./:-]+$/.test(text)) return text
  if (/^[\x20-\x7e]*$/.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`
  const escaped = [...Buffer.from(text, encoding)].map((byte) => {
    const char = String.fromCharCode(byte)
    if (char === "'" || char === '\\') return `\\${char}`
    return byte >= 0x20 && byte < 0x7f ? char : `\\x${byte.toString(16).padStart(2, '0')}`
  })
  return `$'${escaped.join('')}'`
}
