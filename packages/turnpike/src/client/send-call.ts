/** One call over HTTP: path, query and body from the input by the call's entry in the table. */
import type { Failed, Result } from './result.ts'

/** A call's entry in the table. */
export interface CallFacts {
  readonly method: string
  /** With `svc` for the vendor word and `{name}` for a segment. */
  readonly path: string
  readonly query: readonly string[]
  /** Content type of the body; absent: it takes none. */
  readonly type?: string
}

export interface Connection {
  /** Without a path, or below one. */
  readonly url: string
  /** Management key. */
  readonly secret: string
  /** Vendor word. */
  readonly vendor: string
  /** Longest wait, ms. */
  readonly timeoutMs: number
  readonly fetch: typeof fetch
}

export type Input = Readonly<Record<string, unknown>>

export async function sendCall(call: CallFacts, input: Input, connection: Connection): Promise<Result<unknown>> {
  const { url, secret, vendor, timeoutMs } = connection
  const { type } = call
  const title = vendor.charAt(0).toUpperCase() + vendor.slice(1)
  let response: Response
  let text: string
  try {
    response = await connection.fetch(url.replace(/(?<!\/)\/+$/, '') + targetOf(call, input, vendor), {
      method: call.method,
      headers: { [`X-${title}-Authorization`]: secret, ...(type === undefined ? {} : { 'Content-Type': type }) },
      ...(type === undefined ? {} : { body: bodyOf(type, input.body) }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    text = await response.text()
  } catch (cause) {
    return { ok: false, status: undefined, message: `no gateway responds at ${url}: ${reasonOf(cause)}` }
  }
  const value = valueIn(text, response.headers.get('content-type') ?? '')
  if (!response.ok) return failed(response.status, value)
  const [, warning] = /^299 \S+ "(.*)"$/.exec(response.headers.get('warning') ?? '') ?? []
  return { ok: true, status: response.status, value, ...(warning === undefined ? {} : { warning }) }
}

function targetOf({ path, query }: CallFacts, input: Input, vendor: string): string {
  const filled = path
    .replace(/^\/svc(?=\/)/, `/${vendor}`)
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])))
  const asked = new URLSearchParams()
  for (const name of query) if (input[name] !== undefined) asked.set(name, String(input[name]))
  return asked.size === 0 ? filled : `${filled}?${asked}`
}

function bodyOf(type: string, body: unknown): string {
  if (type === 'application/x-www-form-urlencoded') return String(new URLSearchParams(body as Record<string, string>))
  return typeof body === 'string' && !type.includes('json') ? body : JSON.stringify(body ?? {})
}

function valueIn(text: string, type: string): unknown {
  if (!type.startsWith('application/json')) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function failed(status: number, value: unknown): Failed {
  const { message, error } = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  const said = message ?? error ?? value
  return { ok: false, status, message: typeof said === 'string' ? said.trim() : JSON.stringify(said) }
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  return cause.cause instanceof Error && cause.cause.message !== '' ? cause.cause.message : cause.message
}
