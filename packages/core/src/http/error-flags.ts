/**
 * Short flags of errors. Rules of `error_overrides` match them and access logs show them
 * (docs/reference/error-responses.md#override-flags). Errors that are not listed have no flag.
 */
import type { Rejection } from './errors.ts'

/** The flag of a response of the upstream with a status from 500 to 599. */
export const upstreamErrorFlag = 'URS'

const flagByCode: Readonly<Record<string, string>> = {
  'auth-missing': 'AMF',
  'jwt-missing': 'AMF',
  'oauth-missing': 'AMF',
  'key-unknown': 'AKI',
  'oauth-unknown': 'AKI',
  'basic-malformed': 'IHD',
  'jwt-refused': 'TKI',
  'jwt-method': 'TKI',
  'jwt-expired': 'TKE',
  'jwt-used-before-issued': 'TCV',
  'jwt-not-valid-yet': 'TCV',
  'jwt-claim': 'TCV',
  'oauth-client-gone': 'EAD',
  'client-certificate-missing': 'CRQ',
  'certificate-missing': 'CRQ',
  'certificate-unknown': 'CMM',
  'rate-exceeded': 'RLT',
  'api-rate-exceeded': 'RLT',
  'org-rate': 'RLT',
  'quota-exceeded': 'QEX',
  'body-too-large': 'BTL',
  'request-too-large': 'BTL',
  'length-required': 'CLM',
  'body-invalid': 'BIV',
  'body-not-json': 'BIV',
  'upstream-refused': 'UCF',
  'upstream-unknown-host': 'DNS',
  'upstream-timeout': 'URT',
  'upstream-broken': 'UPE',
  'all-hosts-down': 'NHU',
  'breaker-open': 'CBO',
}

/** The flag of an error of the gateway; empty: it has none. */
export function flagOf({ code }: Pick<Rejection, 'code'>): string {
  return flagByCode[code] ?? ''
}

/** The codes of `errors.ts` that have a flag. */
export const flaggedCodes: readonly string[] = Object.keys(flagByCode)
