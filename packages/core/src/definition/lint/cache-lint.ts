/** Checks the response cache: unknown modes, and settings with which nothing is ever cached. */

import { isToken } from '../../http/field-names.ts'
import { isFinalStatus } from '../../http/final-status.ts'
import { nearestName } from '../../lib/shape/shape.ts'
import type { ClassicDefinition } from '../classic.ts'
import type { Report } from '../findings/finding.ts'
import { isWritten, type Lint } from './lint.ts'

const modes = ['rfc9111', 'compatible', 'recorded']

export const cacheLint: Lint = (document, report, options) => {
  const { cacheOptions, cacheMode } = document
  const mode = cacheMode || (options.cacheMode ?? 'compatible')
  if (cacheMode !== '' && !modes.includes(cacheMode)) {
    report('unknown-cache-mode', ['cache_mode'], {}, nearestName(cacheMode, modes))
  }
  const timeout = cacheOptions.cacheTimeout
  if ((timeout ?? 0) < 0) report('negative-number', ['cache_options', 'cache_timeout'])
  for (const [i, code] of (cacheOptions.cacheResponseCodes ?? []).entries()) {
    const at = ['cache_options', 'cache_response_codes', i]
    if (!isFinalStatus(code)) report('invalid-cached-status', at, { status: code })
  }
  for (const [i, name] of (cacheOptions.targetHeaders ?? []).entries()) {
    if (!isToken(name)) report('invalid-target-header', ['cache_options', 'target_headers', i], { name })
  }
  if (cacheOptions.targetHeaders !== null && mode !== 'rfc9111') {
    report('target-headers-ignored', ['cache_options', 'target_headers'])
  }
  lintPaths(document, report)
  if (!cacheOptions.enableCache) {
    if (cacheMode !== '') report('cache-mode-without-cache', ['cache_mode'])
    return
  }
  if (mode === 'rfc9111') return
  if (mode === 'recorded') {
    report('recorded-cache', ['cache_mode'])
  }
  if (cacheOptions.sharePrivate) {
    report('shared-private-cache', ['cache_options', 'share_private'])
  }
  if (
    timeout === 0 &&
    !cacheOptions.enableUpstreamCacheControl &&
    !pathTimeouts(document).some((timeout) => timeout > 0)
  ) {
    report('cache-timeout-zero', ['cache_options', 'cache_timeout'])
  } else if (!cacheOptions.cacheAllSafeRequests && pathTimeouts(document).length === 0) {
    const isUnused = isWritten(options.given, 'cache_options', 'cache_all_safe_requests')
    report(isUnused ? 'cache-without-use' : 'cache-without-paths', ['cache_options', 'enable_cache'])
  }
}

/** The timeouts of all cached paths in seconds; 0: the timeout of the API applies. */
function pathTimeouts(document: ClassicDefinition): number[] {
  return Object.values(document.versionData.versions ?? {}).flatMap(({ useExtendedPaths, extendedPaths }) => {
    if (!useExtendedPaths) return []
    const advanced = (extendedPaths.advanceCacheConfig ?? []).filter(({ disabled }) => !disabled)
    return [...(extendedPaths.cache ?? []).map(() => 0), ...advanced.map(({ timeout }) => timeout)]
  })
}

function lintPaths(document: ClassicDefinition, report: Report): void {
  for (const [name, version] of Object.entries(document.versionData.versions ?? {})) {
    for (const [i, rule] of (version.extendedPaths.advanceCacheConfig ?? []).entries()) {
      const at = ['version_data', 'versions', name, 'extended_paths', 'advance_cache_config', i]
      if (rule.timeout < 0) report('negative-number', [...at, 'timeout'])
      for (const [j, code] of (rule.cacheResponseCodes ?? []).entries()) {
        if (!isFinalStatus(code)) report('invalid-cached-status', [...at, 'cache_response_codes', j], { status: code })
      }
    }
  }
}
