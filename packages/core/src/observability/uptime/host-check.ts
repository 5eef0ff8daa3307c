/**
 * The checks of `uptime_tests.check_list` in a definition (docs/reference/api-definition.md#api-definition,
 * docs/reference/configuration.md#traffic-keys).
 */

import type { ApiDefinition } from '../../definition/api-definition.ts'
import { parseTargetUrl, type TargetUrl } from '../../definition/target-url.ts'
import { uptimeCheckShape } from '../../definition/uptime-check-shape.ts'
import type { HeaderPairs } from '../../http/headers.ts'
import { readShape } from '../../lib/shape/shape.ts'
import { fieldValueOf } from '../../lib/text/field-values.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'

export interface HostCheck {
  readonly api: ApiDefinition
  /** Unchanged value of the definition. */
  readonly url: string
  readonly target: TargetUrl
  readonly method: string
  /** Lower-case names. */
  readonly headers: HeaderPairs
  readonly body: Uint8Array | undefined
  readonly timeoutMs: number
}

/** Timeouts of checks in definitions are nanoseconds. */
const nanosPerMs = 1_000_000
const defaultTimeoutMs = 10_000

/** Returns the checks of a definition, and the URLs that cannot be checked because they are neither http nor https. */
export function readHostChecks(api: ApiDefinition): { readonly checks: HostCheck[]; readonly unusable: string[] } {
  const checks: HostCheck[] = []
  const unusable: string[] = []
  const { uptimeTests } = api.document
  if (uptimeTests.disabled) return { checks, unusable }
  for (const entry of uptimeTests.checkList ?? []) {
    const { value } = readShape(uptimeCheckShape, typeof entry === 'string' ? { url: entry } : entry)
    const url = value.url.includes('://') ? value.url : `http://${value.url}`
    const target = parseTargetUrl(url)
    if (target === undefined || target.origin === '' || !/^https?$/.test(target.scheme)) {
      unusable.push(value.url)
      continue
    }
    checks.push({
      api,
      url: value.url,
      target,
      method: value.method === '' ? 'GET' : value.method.toUpperCase(),
      headers: Object.entries(value.headers ?? {}).flatMap(([name, one]) => [name.toLowerCase(), fieldValueOf(one)]),
      body: value.body === '' ? undefined : utf8Bytes(value.body),
      timeoutMs: value.timeout > 0 ? Math.max(1, value.timeout / nanosPerMs) : defaultTimeoutMs,
    })
  }
  return { checks, unusable }
}
