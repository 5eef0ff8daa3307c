/**
 * Short flags of errors, with their details. Rules of `error_overrides` match the flags, access logs show both
 * (docs/reference/logs.md#error-flags). Errors that are not listed have neither.
 */
import type { Rejection } from './rejections.ts'

/** The flag of a response of the upstream with a status from 500 to 599. */
export const upstreamErrorFlag = 'URS'

interface ErrorFlag {
  readonly flag: string
  readonly details: string
}

const flag = (name: string, details: string): ErrorFlag => ({ flag: name, details })

const byCode: Readonly<Record<string, ErrorFlag>> = {
  'auth-missing': flag('AMF', 'auth_field_missing'),
  'jwt-missing': flag('AMF', 'jwt_field_missing'),
  'oauth-missing': flag('AMF', 'oauth_field_missing'),
  'key-unknown': flag('AKI', 'auth_key_not_found'),
  'oauth-unknown': flag('AKI', 'oauth_key_not_found'),
  'certificate-unknown': flag('AKI', 'auth_cert_not_found'),
  'oauth-malformed': flag('IHD', 'oauth_field_malformed'),
  'basic-malformed': flag('IHD', 'basic_auth_header_malformed'),
  'basic-body': flag('BIV', 'basic_auth_body_username_missing'),
  'jwt-refused': flag('TKI', 'jwt_token_invalid'),
  'jwt-method': flag('TKI', 'jwt_unexpected_signing_method'),
  'jwt-expired': flag('TKE', 'jwt_token_expired'),
  'certificate-expired': flag('TKE', 'auth_cert_expired'),
  'jwt-used-before-issued': flag('TCV', 'jwt_claims_invalid'),
  'jwt-not-valid-yet': flag('TCV', 'jwt_claims_invalid'),
  'jwt-claim': flag('TCV', 'jwt_claims_invalid'),
  'oauth-client-gone': flag('EAD', 'oauth_client_deleted'),
  'client-certificate-missing': flag('CRQ', 'auth_cert_required'),
  'certificate-missing': flag('CRQ', 'auth_cert_required'),
  'certificate-mismatch': flag('CMM', 'auth_cert_mismatch'),
  'rate-exceeded': flag('RLT', 'session_rate_limited'),
  'api-rate-exceeded': flag('RLT', 'api_rate_limited'),
  'quota-exceeded': flag('QEX', 'quota_exceeded'),
  'body-too-large': flag('BTL', 'body_too_large'),
  'request-too-large': flag('BTL', 'body_too_large'),
  'length-required': flag('CLM', 'content_length_missing'),
  'body-invalid': flag('BIV', 'schema_validation_failed'),
  'body-not-json': flag('BIV', 'json_parse_error'),
  'upstream-refused': flag('UCF', 'connection_refused'),
  'upstream-connect-timeout': flag('UCT', 'connection_timeout'),
  'upstream-reset': flag('URR', 'connection_reset'),
  'upstream-unreachable': flag('NRH', 'host_unreachable'),
  'upstream-tls-expired': flag('TLE', 'tls_certificate_expired'),
  'upstream-tls-invalid': flag('TLI', 'tls_certificate_invalid'),
  'upstream-tls-name': flag('TLM', 'tls_hostname_mismatch'),
  'upstream-tls-authority': flag('TLN', 'tls_unknown_authority'),
  'upstream-tls-handshake': flag('TLH', 'tls_handshake_failure'),
  'upstream-unknown-host': flag('DNS', 'dns_not_found'),
  'upstream-timeout': flag('URT', 'context_deadline_exceeded'),
  'upstream-broken': flag('UPE', 'upstream_error'),
  'all-hosts-down': flag('NHU', 'no_healthy_upstreams'),
  'breaker-open': flag('CBO', 'circuit_breaker_open'),
  'client-gone': flag('CDC', 'client_disconnected'),
}

/** More exact details by a part of the message. */
const byMessage: readonly (readonly [code: string, part: string, details: string])[] = [
  ['basic-malformed', 'auth data not encoded', 'basic_auth_encoding_invalid'],
  ['basic-malformed', 'values not in', 'basic_auth_values_malformed'],
  ['basic-body', 'password', 'basic_auth_body_password_missing'],
]

/** The flag of an error of the gateway; empty: it has none. */
export function flagOf({ code }: Pick<Rejection, 'code'>): string {
  return byCode[code]?.flag ?? ''
}

/** The details of an error with a flag. `stage`: the stage that rejected the request. */
export function detailsOf({ code, message }: Pick<Rejection, 'code' | 'message'>, stage: string): string {
  if (code === 'auth-missing' && stage === 'basic-auth') return 'basic_auth_field_missing'
  const exact = byMessage.find(([of, part]) => of === code && message.includes(part))
  return exact?.[2] ?? byCode[code]?.details ?? ''
}

/** The codes of `rejections.ts` that have a flag. */
export const flaggedCodes: readonly string[] = Object.keys(byCode)
