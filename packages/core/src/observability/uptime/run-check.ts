/** Runs one check of a host. */
import { collect } from '../../http/byte-stream.ts'
import type { Upstream } from '../../ports/upstream.ts'
import { requestTarget } from '../events/hook-dedup-key.ts'
import type { HostCheck } from './host-check.ts'

export interface CheckResult {
  readonly failed: boolean
  /** 0: no response. */
  readonly responseCode: number
}

/** Response bodies are discarded; up to this many bytes are read so that the connection can be reused. */
const maxDiscardedBytes = 64 * 1024

/** A host is up if it responds with 200. Never rejects. */
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
    if (result.kind === 'error') return { failed: true, responseCode: 0 }
    const { body: discarded } = result
    if (discarded !== undefined && !(discarded instanceof Uint8Array))
      await collect(discarded, maxDiscardedBytes).catch(() => {})
    return { failed: result.status !== 200, responseCode: result.status }
  } finally {
    link.release()
  }
}
