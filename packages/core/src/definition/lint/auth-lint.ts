/** Checks authentication and address lists. */
import { isToken } from '../../http/field-names.ts'
import { type JsonPath, nearestName } from '../../lib/shape/shape.ts'
import { authConfigOf, authModes, authModesOf } from '../auth-modes/auth-modes.ts'
import type { AuthConfig, ClassicDefinition } from '../classic.ts'
import { isAddressOrRange } from '../ip-text.ts'
import { maxSignatureSkewSeconds } from '../signature-skew.ts'
import { hasNoSource } from '../validate-definition.ts'
import { lintExternalOAuth } from './external-oauth-lint.ts'
import type { Lint, Report } from './finding.ts'

const configNames = authModes.map(({ configName }) => configName)
const signingMethods = ['hmac', 'rsa', 'ecdsa'] as const

export const authLint: Lint = (document, report) => {
  const modes = authModesOf({ ...document, useKeyless: false })
  const hasMode = document.useStandardAuth || modes.some((mode) => mode !== 'token')
  if (document.useKeyless && hasMode) {
    report('warning', ['use_keyless'], 'is true, so no key is required although an authentication mode is on')
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
  if (!document.useKeyless && modes.includes('openid')) lintOpenId(document, report)

  const keySets = (document.jwtJwksUris ?? []).map(({ url }) => url)
  if (document.enableJwt && keySets.length > 0 && document.jwtSource !== '' && !keySets.includes(document.jwtSource)) {
    report('warning', ['jwt_jwks_uris'], 'has no effect beside jwt_source; leave out one of them')
  }
  if (document.enableJwt && document.jwtSigningMethod !== '') {
    const method = document.jwtSigningMethod.toLowerCase()
    if (!signingMethods.includes(method as (typeof signingMethods)[number])) {
      report('warning', ['jwt_signing_method'], 'must be hmac, rsa or ecdsa', nearestName(method, signingMethods))
    }
  }

  lintAddresses(document.allowedIps, 'allowed_ips', 'admits nobody')
  lintAddresses(document.blacklistedIps, 'blacklisted_ips', 'while the list is on, nobody is admitted')
  function lintAddresses(entries: readonly string[] | null, name: string, effect: string): void {
    for (const [i, entry] of (entries ?? []).entries()) {
      if (isAddressOrRange(entry)) continue
      report('error', [name, i], `is neither an IP address nor a range such as 10.0.0.0/8: ${effect}`)
    }
  }
}

function lintOpenId({ openidOptions }: Readonly<ClassicDefinition>, report: Report): void {
  const path = ['openid_options', 'providers']
  const providers = openidOptions.providers ?? []
  if (providers.length === 0) report('error', path, 'has no provider; every token is rejected')
  for (const [i, { issuer, clientIds }] of providers.entries()) {
    if (!/^https?:\/\//i.test(issuer)) report('error', [...path, i, 'issuer'], 'is not an http or https URL')
    if (Object.keys(clientIds ?? {}).length === 0) {
      report('error', [...path, i, 'client_ids'], 'names no client; every token of the issuer is rejected')
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
  if (config.authHeaderName !== '' && !isToken(config.authHeaderName)) {
    report('error', [...path, 'auth_header_name'], 'is not a valid header name, so no request can contain it')
  }
}
