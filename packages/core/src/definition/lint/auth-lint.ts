/** Checks authentication and address lists. */
import { type JsonPath, nearestName } from '../../lib/shape/shape.ts'
import { authConfigOf, authModeOf, authModes, authModesOf } from '../auth-modes/auth-modes.ts'
import type { AuthConfig, ClassicDefinition } from '../classic.ts'
import { isAddressOrRange } from '../ip-text.ts'
import { maxSignatureSkewSeconds } from '../signature-skew.ts'
import { hasNoSource } from '../validate-definition.ts'
import { lintExternalOAuth } from './external-oauth-lint.ts'
import type { Lint, Report } from './finding.ts'

const configNames = authModes.map(({ configName }) => configName)
const signingMethods = ['hmac', 'rsa', 'ecdsa'] as const
/** A field name (RFC 9110, 5.1 and 5.6.2). */
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

export const authLint: Lint = (document, report) => {
  const modes = authModesOf({ ...document, useKeyless: false })
  const hasMode = document.useStandardAuth || modes.some((mode) => mode !== 'token')
  if (document.useKeyless && hasMode) {
    report('warning', ['use_keyless'], 'is true, so no key is required although an authentication mode is on')
  }

  for (const mode of modes) {
    const { stage, field } = authModeOf(mode)
    if (document.useKeyless || stage !== undefined) continue
    report(
      'warning',
      [field],
      'requires an authentication mode that Turnpike does not support: the API rejects every request',
    )
  }

  lintConfig(document.auth, ['auth'], report)
  for (const [name, config] of Object.entries(document.authConfigs ?? {})) {
    const path = ['auth_configs', name]
    if (!configNames.includes(name)) {
      report(
        'warning',
        path,
        'does not belong to an authentication mode and is ignored',
        nearestName(name, configNames),
      )
    }
    lintConfig(config, path, report)
  }
  if (!document.useKeyless && modes.includes('token') && hasNoSource(authConfigOf(document, 'token'))) {
    const path = document.authConfigs?.authToken === undefined ? ['auth'] : ['auth_configs', 'authToken']
    report('error', path, 'has no source for the key; remove disable_header, or set use_param or use_cookie')
  }

  if (!document.useKeyless && modes.includes('token')) lintSignature(document, report)
  if (!document.useKeyless && modes.includes('external-oauth')) lintExternalOAuth(document, report)

  if (document.enableJwt && document.jwtSigningMethod !== '') {
    const method = document.jwtSigningMethod.toLowerCase()
    if (!signingMethods.includes(method as (typeof signingMethods)[number])) {
      report('warning', ['jwt_signing_method'], 'must be hmac, rsa or ecdsa', nearestName(method, signingMethods))
    }
  }

  lintAddresses(document.allowedIps, 'allowed_ips')
  lintAddresses(document.blacklistedIps, 'blacklisted_ips')
  function lintAddresses(entries: readonly string[] | null, name: string): void {
    for (const [i, entry] of (entries ?? []).entries()) {
      if (!isAddressOrRange(entry))
        report('error', [name, i], 'is neither an IP address nor a range such as 10.0.0.0/8')
    }
  }
}

const signatureAlgorithms = ['MasherySHA256', 'MasheryMD5']

function lintSignature(document: Readonly<ClassicDefinition>, report: Report): void {
  const { validateSignature, signature } = authConfigOf(document, 'token')
  if (!validateSignature) return
  const isOwn = document.authConfigs?.authToken !== undefined
  const path = [...(isOwn ? ['auth_configs', 'authToken'] : ['auth']), 'signature']
  if (!signatureAlgorithms.includes(signature.algorithm)) {
    const nearest = nearestName(signature.algorithm, signatureAlgorithms)
    report('error', [...path, 'algorithm'], 'must be MasherySHA256 or MasheryMD5; every request is rejected', nearest)
  }
  if (signature.secret === '') report('error', [...path, 'secret'], 'is empty; every request is rejected')
  if (signature.header === '' && signature.paramName === '') {
    report('error', [...path, 'header'], 'is empty, so no request can contain a signature')
  }
  if (signature.allowedClockSkew > maxSignatureSkewSeconds) {
    report('warning', [...path, 'allowed_clock_skew'], `is reduced to ${maxSignatureSkewSeconds} seconds`)
  }
}

function lintConfig(config: AuthConfig, path: JsonPath, report: Report): void {
  if (config.authHeaderName !== '' && !headerName.test(config.authHeaderName)) {
    report('error', [...path, 'auth_header_name'], 'is not a valid header name, so no request can contain it')
  }
}
