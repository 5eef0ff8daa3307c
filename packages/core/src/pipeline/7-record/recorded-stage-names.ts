/** Names of stages in the access log. They are those of original gateways, for which people wrote filters. */

const names: Readonly<Record<string, string>> = {
  'org-inactive': 'OrganizationMonitor',
  'org-limits': 'OrganizationMonitor',
  'version-check': 'VersionCheck',
  'path-lists': 'VersionCheck',
  'ip-filter': 'IPWhiteListMiddleware',
  'client-certificate': 'CertificateCheckMW',
  'size-limit': 'RequestSizeLimitMiddleware',
  'oauth-token': 'Oauth2KeyExists',
  'external-oauth': 'ExternalOAuthMiddleware',
  'basic-auth': 'BasicAuthKeyIsValid',
  hmac: 'HTTPSignatureValidationMiddleware',
  jwt: 'JWTMiddleware',
  'auth-token': 'AuthKey',
  'allowed-urls': 'GranularAccessMiddleware',
  'key-limits': 'RateLimitAndQuotaCheck',
  'api-rate-limit': 'RateLimitForAPI',
  'graphql-check': 'GraphQLMiddleware',
  'validate-json': 'ValidateJSON',
  'validate-request': 'ValidateRequest',
  'body-transform': 'TransformMiddleware',
  'method-transform': 'TransformMethod',
  'url-rewrite': 'URLRewriteMiddleware',
  'cache-read': 'RedisCacheMiddleware',
}

/** The name of a stage; its own if original gateways have no such stage. `code`: the code of its rejection. */
export function recordedStageName(stage: string, code: string | undefined): string {
  if (stage === 'key-access') return code === 'api-forbidden' ? 'AccessRightsCheck' : 'KeyExpired'
  return names[stage] ?? stage
}
