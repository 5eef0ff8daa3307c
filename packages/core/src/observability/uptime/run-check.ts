/** Asks a host once. */
import { collect } from '../../http/byte-stream.ts'
import type { Upstream } from '../../ports/upstream.ts'
import { requestTarget } from '../events/hook-dedup-key.ts'
import type { HostCheck } from './host-check.ts'

export interface CheckResult {
  readonly failed: boolean
  /** 0: none came. */
  readonly responseCode: number
}

/** An answer says nothing to us beyond its status; so much of it is read to keep the connection. */
const answerBytes = 64 * 1024

/** Up is who answers 200. Never rejects. */
export async function runCheck(check: HostCheck, upstream: Upstream, insecure: boolean): Promise<CheckResult> {
  const { target, method, headers, body, timeoutMs } = check
  const link = upstream.connect(target.origin, { insecure })
  try {
    const result = await link.send({
      method,
      path: requestTarget(target),
      headers: ['host', target.authority, ...headers.filter((_, i) => headers[i - (i % 2)] !== 'host')],
      body,
      bodyLength: body?.length ?? 0,
      timeoutMs,
      unpack: false,
    })
    if (result.kind === 'fault') return { failed: true, responseCode: 0 }
    const { body: answer } = result
    if (answer !== undefined && !(answer instanceof Uint8Array)) await collect(answer, answerBytes).catch(() => {})
    return { failed: result.status !== 200, responseCode: result.status }
  } finally {
    link.release()
  }
}
