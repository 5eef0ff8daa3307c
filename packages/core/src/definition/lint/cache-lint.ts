/** Checks the response cache: unknown modes, and settings with which nothing is ever cached. */

import { isToken } from '../../http/field-names.ts'
import { isFinalStatus } from '../../http/final-status.ts'
import { nearestName } from '../../lib/shape/shape.ts'
import type { ClassicDefinition } from '../classic.ts'
import type { Lint, Report } from './finding.ts'

const modes = ['rfc9111', 'compatible', 'recorded']

export const cacheLint: Lint = (document, report, options) => {
  const { cacheOptions, cacheMode } = document
  const mode = cacheMode || (options.cacheMode ?? 'compatible')
  if (cacheMode !== '' && !modes.includes(cacheMode)) {
    const message = 'is not a cache mode; use "rfc9111", or leave it out to configure the cache by cache_options'
    report('error', ['cache_mode'], message, nearestName(cacheMode, modes))
  }
  const timeout = cacheOptions.cacheTimeout
  if ((timeout ?? 0) < 0) report('error', ['cache_options', 'cache_timeout'], 'must not be negative')
  for (const [i, code] of (cacheOptions.cacheResponseCodes ?? []).entries()) {
    if (!isFinalStatus(code))
      report('error', ['cache_options', 'cache_response_codes', i], `${code} is not an HTTP status`)
  }
  for (const [i, name] of (cacheOptions.targetHeaders ?? []).entries()) {
    if (!isToken(name)) report('error', ['cache_options', 'target_headers', i], `"${name}" is not a header name`)
  }
  if (cacheOptions.targetHeaders !== null && mode !== 'rfc9111') {
    report('warning', ['cache_options', 'target_headers'], 'has no effect without cache_mode "rfc9111"')
  }
  lintPaths(document, report)
  if (!cacheOptions.enableCache) {
    if (cacheMode !== '') report('warning', ['cache_mode'], 'has no effect without cache_options.enable_cache')
    return
  }
  if (mode === 'rfc9111') return
  if (mode === 'recorded') {
    const message =
      'is "recorded": Vary, codings and bodies of GET are ignored, so clients get responses that were made for others'
    report('warning', ['cache_mode'], message)
  }
  if (cacheOptions.sharePrivate) {
    const message = 'is on: on requests without a key, clients get responses that were made for others'
    report('warning', ['cache_options', 'share_private'], message)
  }
  if (
    timeout === 0 &&
    !cacheOptions.enableUpstreamCacheControl &&
    !pathTimeouts(document).some((timeout) => timeout > 0)
  ) {
    const message = 'is 0, so nothing is ever served from the cache; leave it out for the default of 60 seconds'
    report('warning', ['cache_options', 'cache_timeout'], message)
  } else if (!cacheOptions.cacheAllSafeRequests && pathTimeouts(document).length === 0) {
    const message = 'caches nothing: neither cache_all_safe_requests nor a path in cache or advance_cache_config is set'
    report('warning', ['cache_options', 'enable_cache'], message)
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
      if (rule.timeout < 0) report('error', [...at, 'timeout'], 'must not be negative')
      for (const [j, code] of (rule.cacheResponseCodes ?? []).entries()) {
        if (!isFinalStatus(code)) report('error', [...at, 'cache_response_codes', j], `${code} is not an HTTP status`)
      }
    }
  }
}
