/** Findings about authentication, address lists, origins and limits. */
import { rulesOf } from '../finding-rule.ts'

const auth = rulesOf('reference/authentication.md')
const jwt = rulesOf('reference/jwt.md')
const openid = rulesOf('reference/openid-connect.md')
const external = rulesOf('reference/external-oauth.md')
const security = rulesOf('security.md')
const limits = rulesOf('reference/rate-limits.md')
const upstreams = rulesOf('reference/upstreams.md')

export const accessRules = {
  'keyless-with-authentication': auth.warning(
    'is true, so no key is required although an authentication mode is on',
    'set it to false, or switch the mode off',
  ),
  'unused-auth-config': auth.warning('does not belong to an authentication mode and is ignored', 'remove it'),
  'no-key-source': auth.error('has no source for the key', 'remove disable_header, or set use_param or use_cookie'),
  'invalid-header-name': auth.error('is not a valid header name, so no request can contain it'),
  'unknown-signature-algorithm': auth.error('must be MasherySHA256 or MasheryMD5; every request is rejected'),
  'signature-secret-missing': auth.error('is empty; every request is rejected', 'set the secret'),
  'signature-header-missing': auth.error('is empty, so no request can contain a signature', 'name the header'),
  'signature-skew-reduced': auth.warning('is reduced to <seconds> seconds', 'write <seconds> or less'),
  'jwks-uris-ignored': jwt.warning('has no effect beside jwt_source', 'leave out one of them'),
  'unbound-key-set': jwt.warning(
    'is a key set, so every token that its issuer signs for any audience is accepted',
    'set <names>',
  ),
  'unknown-signing-method': jwt.warning('must be hmac, rsa or ecdsa'),
  'openid-without-provider': openid.error('has no provider; every token is rejected'),
  'openid-issuer': openid.error('is not an http or https URL'),
  'openid-without-client': openid.error('names no client; every token of the issuer is rejected'),
  'external-oauth-without-provider': external.error('has no provider; every token is rejected'),
  'external-oauth-second-provider': external.warning('is ignored: only the first provider counts', 'remove it'),
  'external-oauth-without-method': external.error('has neither jwt nor introspection enabled; every token is rejected'),
  'external-oauth-source-missing': external.error('is empty; every token is rejected'),
  'introspection-ignored': external.warning('is ignored, because jwt is enabled', 'disable one of them'),
  'introspection-url': external.error('is not an http or https URL; every token is rejected'),
  'introspection-cache': external.warning('is not positive, so nothing is cached', 'set it in seconds'),
  'invalid-address': security.error('is neither an IP address nor a range such as 10.0.0.0/8: <effect>'),
  'bypassable-address-list': security.warning(
    'can be bypassed: clients choose their address by X-Real-IP',
    'set trusted_proxies or xff_depth',
  ),
  'every-origin-with-credentials': security.warning(
    'allows every origin, which browsers reject because allow_credentials is on',
    'list the origins',
  ),
  'replayable-signatures': security.warning(
    'is not set, so that a signed request can be replayed at any time',
    'set a limit in milliseconds<more>',
  ),
  'rate-without-period': limits.error('is missing', 'set the number of seconds for which the rate counts'),
  'period-without-rate': limits.warning('is 0, so nothing is limited', 'set the number of requests, or remove it'),
  'timeout-without-effect': upstreams.warning('is 0, so the rule has no effect', 'set the timeout in seconds'),
  'breaker-threshold': upstreams.error('must be between 0 and 1; for example, 0.5 means one half'),
  'breaker-samples': upstreams.error('must be at least 1'),
}
