/** Checks versions: whether requests can select them, and whether they have expired. */

import type { JsonPath } from '../../lib/shape/shape.ts'
import { nearestName } from '../../lib/shape/shape.ts'
import { onlyVersion } from '../read-versioning.ts'
import { parseTargetUrl } from '../target-url.ts'
import { parseExpiry } from '../version-expiry.ts'
import type { Lint } from './lint.ts'

const locations = ['header', 'url-param', 'url'] as const

export const versionLint: Lint = (document, report, options) => {
  const { notVersioned, defaultVersion, versions } = document.versionData
  const family = document.definition
  const names = Object.keys(versions ?? {})

  const problem = notVersioned ? onlyVersion(names).problem : undefined
  if (problem === 'ambiguous-default') {
    report('ambiguous-versions', ['version_data', 'versions'])
  }
  if (problem === 'missing-default') {
    report(names.length === 0 ? 'no-version' : 'no-default-version', ['version_data', 'versions'])
  }
  if (!notVersioned && names.length === 0) {
    report('versioned-without-versions', ['version_data', 'not_versioned'])
  }
  if (!notVersioned && defaultVersion !== '' && names.length > 0 && !names.includes(defaultVersion)) {
    const suggestion = nearestName(defaultVersion, names)
    report('unknown-default-version', ['version_data', 'default_version'], {}, suggestion)
  }
  if ((!notVersioned || family.enabled) && family.location !== '' && !isLocation(family.location)) {
    const suggestion = nearestName(family.location, locations)
    report('unknown-version-location', ['definition', 'location'], {}, suggestion)
  }
  if ((!notVersioned || family.enabled) && family.location === 'url-param' && family.key === '') {
    report('version-parameter-missing', ['definition', 'key'])
  }
  if (family.enabled) {
    const known = ['self', family.name, ...Object.keys(family.versions ?? {})]
    if (family.default !== '' && !known.includes(family.default)) {
      const suggestion = nearestName(family.default, known)
      report('unknown-default-api', ['definition', 'default'], {}, suggestion)
    }
    const own = Object.entries(family.versions ?? {}).find(([, id]) => id === document.apiId)
    if (own !== undefined) report('version-of-itself', ['definition', 'versions', own[0]])
  }

  if (notVersioned) lintExpiry(document.expiration, ['expiration'])
  for (const [name, version] of Object.entries(versions ?? {})) {
    const path = ['version_data', 'versions', name]
    if (version.name !== '' && version.name !== name) {
      report('version-name-differs', [...path, 'name'], {}, name)
    }
    if (!notVersioned) lintExpiry(version.expires, [...path, 'expires'])
    if (notVersioned && version.overrideTarget !== '') {
      report('override-target-ignored', [...path, 'override_target'])
    } else if (version.overrideTarget !== '' && !parseTargetUrl(version.overrideTarget)?.origin) {
      report('invalid-override-target', [...path, 'override_target'])
    }
  }

  function lintExpiry(text: string, path: JsonPath): void {
    const expiresAt = parseExpiry(text)
    if (expiresAt === undefined) return
    if (expiresAt === 0) {
      report('invalid-expiry', path)
    } else if (options.now !== undefined && expiresAt <= options.now) {
      report('expired-version', path)
    }
  }
}

function isLocation(text: string): boolean {
  return locations.includes(text as (typeof locations)[number])
}
