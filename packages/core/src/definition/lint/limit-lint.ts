/** Checks rates, sizes and times. */

import type { JsonPath } from '../../lib/shape/shape.ts'
import type { Report } from '../findings/finding.ts'
import type { VersionDocument } from '../version-shape.ts'
import type { Lint } from './lint.ts'

export const limitLint: Lint = (document, report) => {
  if (!document.globalRateLimit.disabled) lintRate(document.globalRateLimit, ['global_rate_limit'], report)
  notNegative(document.sessionLifetime, ['session_lifetime'], report)
  notNegative(document.expireAnalyticsAfter, ['expire_analytics_after'], report)
  notNegative(document.basicAuth.cacheTtl, ['basic_auth', 'cache_ttl'], report)
  for (const [name, version] of Object.entries(document.versionData.versions ?? {})) {
    lintVersion(version, ['version_data', 'versions', name], report)
  }
}

function lintVersion(version: VersionDocument, at: JsonPath, report: Report): void {
  if (!version.globalSizeLimitDisabled) notNegative(version.globalSizeLimit, [...at, 'global_size_limit'], report)
  if (!version.useExtendedPaths) return
  const lists = version.extendedPaths
  const path = [...at, 'extended_paths']
  for (const [i, rule] of (lists.rateLimit ?? []).entries()) {
    if (!rule.disabled) lintRate(rule, [...path, 'rate_limit', i], report)
  }
  for (const [i, rule] of (lists.sizeLimits ?? []).entries()) {
    if (!rule.disabled) notNegative(rule.sizeLimit, [...path, 'size_limits', i, 'size_limit'], report)
  }
  for (const [i, rule] of (lists.hardTimeouts ?? []).entries()) {
    const here = [...path, 'hard_timeouts', i, 'timeout']
    notNegative(rule.timeout, here, report)
    if (rule.timeout === 0 && !rule.disabled) {
      report('timeout-without-effect', here)
    }
  }
  for (const [i, rule] of (lists.circuitBreakers ?? []).entries()) {
    if (rule.disabled) continue
    const here = [...path, 'circuit_breakers', i]
    if (rule.thresholdPercent <= 0 || rule.thresholdPercent > 1) {
      report('breaker-threshold', [...here, 'threshold_percent'])
    }
    if (rule.samples < 1) report('breaker-samples', [...here, 'samples'])
    notNegative(rule.returnToServiceAfter, [...here, 'return_to_service_after'], report)
  }
}

function lintRate(limit: { readonly rate: number; readonly per: number }, at: JsonPath, report: Report): void {
  notNegative(limit.rate, [...at, 'rate'], report)
  notNegative(limit.per, [...at, 'per'], report)
  if (limit.rate > 0 && limit.per === 0) {
    report('rate-without-period', [...at, 'per'])
  }
  if (limit.per > 0 && limit.rate === 0) report('period-without-rate', [...at, 'rate'])
}

function notNegative(value: number, at: JsonPath, report: Report): void {
  if (value < 0) report('negative-number', at)
}
