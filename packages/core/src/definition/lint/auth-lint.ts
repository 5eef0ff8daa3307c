/** Checks authentication and address lists. */

import { isToken } from '../../http/field-names.ts'
import { type JsonPath, nearestName } from '../../lib/shape/shape.ts'
import { authConfigOf, authModes, authModesOf } from '../auth-modes/auth-modes.ts'
import type { AuthConfig, ClassicDefinition } from '../classic.ts'
import type { Report } from '../findings/finding.ts'
import { isAddressOrRange } from '../ip-text.ts'
import { maxSignatureSkewSeconds } from '../signature-skew.ts'
import { hasNoSource } from '../validate-definition.ts'
import { lintExternalOAuth } from './external-oauth-lint.ts'
import type { Lint } from './lint.ts'

const configNames = authModes.map(({ configName }) => configName)
const signingMethods = ['hmac', 'rsa', 'ecdsa'] as const

export const authLint: Lint = (document, report) => {
  const modes = authModesOf({ ...document, useKeyless: false })
  const hasMode = document.useStandardAuth || modes.some((mode) => mode !== 'token')
  if (document.useKeyless && hasMode) {
    report('keyless-with-authentication', ['use_keyless'])
  }

  lintConfig(document.auth, ['auth'], report)
  for (const [name, config] of Object.entries(document.authConfigs ?? {})) {
    const path = ['auth_configs', name]
    if (!configNames.includes(name)) {
      report('unused-auth-config', path, {}, nearestName(name, configNames))
    }
    lintConfig(config, path, report)
  }
  if (!document.useKeyless && modes.includes('token') && hasNoSource(authConfigOf(document, 'token'))) {
    const path = document.authConfigs?.authToken === undefined ? ['auth'] : ['auth_configs', 'authToken']
    report('no-key-source', path)
  }

  if (!document.useKeyless && modes.includes('token')) lintSignature(document, report)
  if (!document.useKeyless && modes.includes('external-oauth')) lintExternalOAuth(document, report)
  if (!document.useKeyless && modes.includes('openid')) lintOpenId(document, report)

  const keySets = (document.jwtJwksUris ?? []).map(({ url }) => url)
  if (document.enableJwt && keySets.length > 0 && document.jwtSource !== '' && !keySets.includes(document.jwtSource)) {
    report('jwks-uris-ignored', ['jwt_jwks_uris'])
  }
  if (document.enableJwt && document.jwtSigningMethod !== '') {
    const method = document.jwtSigningMethod.toLowerCase()
    if (!signingMethods.includes(method as (typeof signingMethods)[number])) {
      report('unknown-signing-method', ['jwt_signing_method'], {}, nearestName(method, signingMethods))
    }
  }

  lintAddresses(document.allowedIps, 'allowed_ips', 'admits nobody')
  lintAddresses(document.blacklistedIps, 'blacklisted_ips', 'while the list is on, nobody is admitted')
  function lintAddresses(entries: readonly string[] | null, name: string, effect: string): void {
    for (const [i, entry] of (entries ?? []).entries()) {
      if (isAddressOrRange(entry)) continue
      report('invalid-address', [name, i], { effect })
    }
  }
}

function lintOpenId({ openidOptions }: Readonly<ClassicDefinition>, report: Report): void {
  const path = ['openid_options', 'providers']
  const providers = openidOptions.providers ?? []
  if (providers.length === 0) report('openid-without-provider', path)
  for (const [i, { issuer, clientIds }] of providers.entries()) {
    if (!/^https?:\/\//i.test(issuer)) report('openid-issuer', [...path, i, 'issuer'])
    if (Object.keys(clientIds ?? {}).length === 0) {
      report('openid-without-client', [...path, i, 'client_ids'])
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
    report('unknown-signature-algorithm', [...path, 'algorithm'], {}, nearest)
  }
  if (signature.secret === '') report('signature-secret-missing', [...path, 'secret'])
  if (signature.header === '' && signature.paramName === '') {
    report('signature-header-missing', [...path, 'header'])
  }
  if (signature.allowedClockSkew > maxSignatureSkewSeconds) {
    report('signature-skew-reduced', [...path, 'allowed_clock_skew'], { seconds: maxSignatureSkewSeconds })
  }
}

function lintConfig(config: AuthConfig, path: JsonPath, report: Report): void {
  if (config.authHeaderName !== '' && !isToken(config.authHeaderName)) {
    report('invalid-header-name', [...path, 'auth_header_name'])
  }
}
