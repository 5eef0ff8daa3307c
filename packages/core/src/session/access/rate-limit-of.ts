/** Converts the limits of a session, an access right or an endpoint to the rate limit of a counter. */
import type { RateLimit, Smoothing } from '../../ports/rate-limit.ts'
import type { ApiLimit } from '../../ports/session.ts'
import type { GatewaySettings } from '../../ports/settings.ts'

/** Returns `undefined` if there is no limit, which is a rate of 0 or less. */
export function rateLimitOf(
  limits: Pick<ApiLimit, 'rate' | 'per' | 'smoothing'>,
  settings: GatewaySettings['limits'],
): RateLimit | undefined {
  if (!(limits.rate > 0)) return undefined
  const { algorithm, rollingOneLess, smoothing } = settings
  return {
    algorithm,
    rate: limits.rate,
    per: limits.per,
    smoothing: smoothing ? smoothingOf(limits.smoothing, algorithm) : undefined,
    oneLess: rollingOneLess && algorithm === 'rolling',
  }
}

/** Smoothing needs an algorithm that keeps a log, and positive values. Source: docs/reference/rate-limits.md#smoothing. */
function smoothingOf(
  smoothing: ApiLimit['smoothing'],
  algorithm: GatewaySettings['limits']['algorithm'],
): Smoothing | undefined {
  if (smoothing === null || !smoothing.enabled) return undefined
  if (algorithm !== 'rolling' && algorithm !== 'sentinel') return undefined
  const { threshold, trigger, step, delay } = smoothing
  if (!(threshold > 0 && trigger > 0 && step > 0 && delay > 0)) return undefined
  return { threshold, trigger, step, delay }
}
