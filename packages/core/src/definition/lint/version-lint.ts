/** Checks versions: whether requests can select them, and whether they have expired. */

import type { JsonPath } from '../../lib/shape/shape.ts'
import { nearestName } from '../../lib/shape/shape.ts'
import { onlyVersion } from '../read-versioning.ts'
import { parseTargetUrl } from '../target-url.ts'
import { parseExpiry } from '../version-expiry.ts'
import type { Lint } from './finding.ts'

const locations = ['header', 'url-param', 'url'] as const

export const versionLint: Lint = (document, report, options) => {
  const { notVersioned, defaultVersion, versions } = document.versionData
  const family = document.definition
  const names = Object.keys(versions ?? {})

  const problem = notVersioned ? onlyVersion(names).problem : undefined
  if (problem === 'ambiguous-default') {
    const message = 'has several of the versions "Default", "default" and "" although not_versioned is true'
    report('error', ['version_data', 'versions'], `${message}: every request is rejected; keep one of them`)
  }
  if (problem === 'missing-default') {
    const message =
      names.length === 0
        ? 'has no version: every request is rejected with 403; add one, {"Default": {"name": "Default"}}'
        : 'has several versions although not_versioned is true, and none is named Default: every request is rejected'
    report('error', ['version_data', 'versions'], message)
  }
  if (!notVersioned && names.length === 0) {
    const message = 'is false and there are no versions: every request is rejected with 403; set it to true'
    report('error', ['version_data', 'not_versioned'], message)
  }
  if (!notVersioned && defaultVersion !== '' && names.length > 0 && !names.includes(defaultVersion)) {
    const suggestion = nearestName(defaultVersion, names)
    report('error', ['version_data', 'default_version'], 'names a version that does not exist', suggestion)
  }
  if ((!notVersioned || family.enabled) && family.location !== '' && !isLocation(family.location)) {
    const suggestion = nearestName(family.location, locations)
    report(
      'warning',
      ['definition', 'location'],
      'must be header, url-param or url; the header is used instead',
      suggestion,
    )
  }
  if ((!notVersioned || family.enabled) && family.location === 'url-param' && family.key === '') {
    report('error', ['definition', 'key'], 'must name the query parameter that holds the version')
  }
  if (family.enabled) {
    const known = ['self', family.name, ...Object.keys(family.versions ?? {})]
    if (family.default !== '' && !known.includes(family.default)) {
      const suggestion = nearestName(family.default, known)
      report('error', ['definition', 'default'], 'names neither this API nor one of its versions', suggestion)
    }
    const own = Object.entries(family.versions ?? {}).find(([, id]) => id === document.apiId)
    if (own !== undefined) report('error', ['definition', 'versions', own[0]], 'refers to this API itself')
  }

  if (notVersioned) lintExpiry(document.expiration, ['expiration'])
  for (const [name, version] of Object.entries(versions ?? {})) {
    const path = ['version_data', 'versions', name]
    if (version.name !== '' && version.name !== name) {
      report('warning', [...path, 'name'], 'differs from the key of the version, which is the name in effect', name)
    }
    if (!notVersioned) lintExpiry(version.expires, [...path, 'expires'])
    if (notVersioned && version.overrideTarget !== '') {
      report(
        'warning',
        [...path, 'override_target'],
        'has no effect because not_versioned is true; set proxy.target_url',
      )
    } else if (version.overrideTarget !== '' && !parseTargetUrl(version.overrideTarget)?.origin) {
      report('error', [...path, 'override_target'], 'is not a URL of the form http://host:port/path')
    }
  }

  function lintExpiry(text: string, path: JsonPath): void {
    const expiresAt = parseExpiry(text)
    if (expiresAt === undefined) return
    if (expiresAt === 0) {
      report('error', path, 'is not a date of the form 2006-01-02 15:04, so it counts as expired; -1 means never')
    } else if (options.now !== undefined && expiresAt <= options.now) {
      report('warning', path, 'is in the past: requests are rejected with 403')
    }
  }
}

function isLocation(text: string): boolean {
  return locations.includes(text as (typeof locations)[number])
}
