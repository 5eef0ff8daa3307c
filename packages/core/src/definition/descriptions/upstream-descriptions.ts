/** What the fields of definitions about upstreams and other servers mean. */

const header = { enabled: 'Uses `name`.', name: 'Header with the credential. Default: Authorization.' }

const grant = {
  enabled: 'Switches the grant on; `allowed_authorize_types` or the token URL selects it.',
  client_id: 'Id of the client at the authorization server.',
  client_secret: 'Secret of the client at the authorization server.',
  token_url: 'URL of the token endpoint.',
  scopes: 'Scopes that the gateway requests.',
  ...below('header', header),
}

const upstreamAuth = {
  enabled: 'Switches upstream authentication on.',
  'basic_auth.enabled': 'Sends user name and password.',
  'basic_auth.username': 'User name; it must not contain a colon.',
  'basic_auth.password': 'Password.',
  ...below('basic_auth.header', header),
  'oauth.enabled': 'Sends an access token (RFC 6749).',
  'oauth.allowed_authorize_types':
    'The one grant: clientCredentials or password. Default: the grant that has a token URL.',
  ...below('oauth.client_credentials', grant),
  ...below('oauth.password', grant),
  'oauth.password.username': 'Name of the resource owner.',
  'oauth.password.password': 'Password of the resource owner.',
}

const discovery = {
  use_discovery_service: 'Switches service discovery on.',
  query_endpoint: 'URL that the gateway requests with GET.',
  use_nested_query: 'The value at `parent_data_path` is a text that contains JSON.',
  parent_data_path: 'Path of the list of entries, or of the text with JSON.',
  data_path: 'Path of the host in an entry; names joined by dots.',
  port_data_path: 'Path of the port in an entry. Empty: the host is complete.',
  target_path: 'Text that is appended to each target.',
  use_target_list: 'All entries are targets, not only the first.',
  endpoint_returns_list: 'The whole response is a JSON list.',
  cache_disabled: 'Discovers the targets for each request.',
  cache_timeout: 'Seconds for which targets are cached. Default: 0, the default of the configuration.',
}

const transport = {
  ssl_ciphers: 'Cipher suites for upstreams. Default: those of the configuration.',
  ssl_min_version: 'Lowest version of TLS: 769 is 1.0, 772 is 1.3. Default: that of the configuration.',
  ssl_max_version: 'Highest version of TLS: 769 is 1.0, 772 is 1.3. Default: that of the configuration.',
  ssl_force_common_name_check: 'The certificate of the upstream must have the host as its common name.',
}

const signing = {
  is_enabled: 'Switches signing on.',
  secret: 'Secret of HMAC signatures.',
  key_id: 'Id of the key in the signature; required.',
  algorithm: 'hmac-sha1, hmac-sha256, hmac-sha384, hmac-sha512 or rsa-sha256; required.',
  header_list: 'Headers that the signature covers. Default: (request-target) and all headers.',
  certificate_id: 'Stored certificate with the RSA private key, for rsa-sha256.',
  signature_header: 'Header with the signature. Default: Authorization.',
}

const jwtProvider = {
  enabled: 'Verifies tokens as JSON web tokens; wins over introspection.',
  signing_method: 'Family of the signature: hmac, rsa or ecdsa. Default: hmac.',
  source: 'The secret or the PEM key in base64, or the URL of a key set.',
  identity_base_field: 'Claim that identifies the caller. Default: sub.',
  issued_at_validation_skew: 'Tolerance for `iat` in seconds.',
  not_before_validation_skew: 'Tolerance for `nbf` in seconds.',
  expires_at_validation_skew: 'Tolerance for `exp` in seconds.',
}

const introspectionProvider = {
  enabled: 'Verifies tokens by introspection (RFC 7662).',
  url: 'URL of the introspection endpoint.',
  client_id: 'Id of the gateway at the authorization server.',
  client_secret: 'Secret of the gateway at the authorization server.',
  identity_base_field: 'Member of the response that identifies the caller. Default: sub.',
  'cache.enabled': 'Caches results of introspection, rejections too.',
  'cache.timeout': 'Seconds for which a result is cached; 0: not at all.',
}

export const upstreamDescriptions: Readonly<Record<string, string>> = {
  ...below('upstream_auth', upstreamAuth),
  ...below('proxy.service_discovery', discovery),
  ...below('proxy.transport', transport),
  ...below('request_signing', signing),
  'external_oauth.enabled': 'Requests need an access token of another authorization server.',
  'external_oauth.providers': 'Authorization servers; the first one counts.',
  ...below('external_oauth.providers.jwt', jwtProvider),
  ...below('external_oauth.providers.introspection', introspectionProvider),
  'openid_options.providers': 'Issuers of ID tokens.',
  'openid_options.providers.issuer': 'URL of the issuer, as in the claim `iss`.',
  'openid_options.providers.client_ids': 'Policy by client id; the client id is written in base64.',
  'openid_options.segregate_by_client': 'A user has a separate session for each client.',
}

function below(path: string, descriptions: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(descriptions).map(([name, text]) => [`${path}.${name}`, text]))
}
