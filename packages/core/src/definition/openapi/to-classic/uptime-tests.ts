/** `upstream.uptimeTests`: health checks of upstream hosts. Source: docs/reference/openapi-extension.md#upstream-fields. */
import { parseDuration } from '../../../lib/duration.ts'
import { isOn, type Json, listOf, memberOf } from '../../../lib/json.ts'

const nanosPerSecond = 1_000_000_000

/** `uptime_tests` of the classic definition, with timeouts in nanoseconds; `undefined`: the document has none. */
export function uptimeTestsOf(tests: unknown): Json | undefined {
  if (tests === undefined) return undefined
  return {
    disabled: !isOn(tests),
    check_list: listOf(memberOf(tests, 'tests')).map((test) => ({
      url: memberOf(test, 'url'),
      method: memberOf(test, 'method'),
      headers: memberOf(test, 'headers'),
      body: memberOf(test, 'body'),
      timeout: Math.round((parseDuration(memberOf(test, 'timeout')) ?? 0) * nanosPerSecond),
      commands: memberOf(test, 'commands'),
      enable_proxy_protocol: memberOf(test, 'enableProxyProtocol') === true,
    })),
    config: {
      recheck_wait: parseDuration(memberOf(tests, 'hostDownRetestPeriod')) ?? 0,
      expire_utime_after: parseDuration(memberOf(tests, 'logRetentionPeriod')) ?? 0,
    },
  }
}
