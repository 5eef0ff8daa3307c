/**
 * What members of the extension of OpenAPI documents mean, by their path as in the support tables, where the shape of the
 * extension has no description. The published JSON Schema and docs/reference/generated/fields.md show these sentences.
 */
const namedValue = { name: 'Name of the header.', value: 'Value of the header.' }

const jwtProvider = {
  signingMethod: 'Family of the signature: hmac, rsa or ecdsa. Default: hmac.',
  source: 'The secret or the PEM key in base64, or the URL of a key set.',
  identityBaseField: 'Claim that identifies the caller. Default: sub.',
  issuedAtValidationSkew: 'Tolerance for `iat` in seconds.',
  notBeforeValidationSkew: 'Tolerance for `nbf` in seconds.',
  expiresAtValidationSkew: 'Tolerance for `exp` in seconds.',
}

const policyOfScope = { scope: 'The scope.', policyId: 'Id of the policy that it adds.' }

const scheme = {
  'jwksURIs.url': 'URL of the key set.',
  ...below('scopes.scopeToPolicyMapping', policyOfScope),
  'customClaimValidation.*.allowedValues': 'Values for exact_match and contains.',
  'extractCredentialsFromBody.userRegexp': 'Regular expression; its first group is the user name.',
  'extractCredentialsFromBody.passwordRegexp': 'Regular expression; its first group is the password.',
  'notifications.sharedSecret': 'Value of a header by which the receiver recognises the gateway.',
  'notifications.onKeyChangeUrl': 'URL that receives a POST with each new token.',
  ...below('providers.jwt', jwtProvider),
  'providers.introspection.url': 'URL of the introspection endpoint.',
  'providers.introspection.clientId': 'Id of the gateway at the authorization server.',
  'providers.introspection.clientSecret': 'Secret of the gateway at the authorization server.',
  'providers.introspection.identityBaseField': 'Member of the response that identifies the caller. Default: sub.',
  'signature.query.name': 'Query parameter with the signature.',
}

const authentication = {
  ...below('securitySchemes.*', scheme),
  'protectedResourceMetadata.resource': 'Identifier of the resource, an https URL.',
  'protectedResourceMetadata.authorizationServers': 'Issuers of the authorization servers.',
  'protectedResourceMetadata.scopesSupported': 'Scopes that clients may request.',
  'oidc.providers.issuer': 'URL of the issuer, as in the claim `iss`.',
  'oidc.providers.clientToPolicyMapping': 'Policy by client.',
  'oidc.providers.clientToPolicyMapping.clientId': 'Id of the client, as in the claim `aud`.',
  'oidc.providers.clientToPolicyMapping.policyId': 'Id of the policy of its users.',
  ...below('oidc.scopes.scopeToPolicyMapping', policyOfScope),
  'custom.config.functionName': 'Name of the object that the file defines.',
  'custom.config.path': 'File of the script.',
  'custom.config.requireSession': 'The script receives the session.',
}

const server = {
  ...below('authentication', authentication),
  'ipAccessControl.allow': 'Addresses and networks that are accepted.',
  'ipAccessControl.block': 'Addresses and networks that are rejected.',
  'customDomain.name': 'The host name.',
  'eventHandlers.id': 'Id of the web hook; only returned.',
  'eventHandlers.name': 'Name of the web hook; only returned.',
  'eventHandlers.url': 'webhook: the http or https URL that is called.',
  'eventHandlers.method': 'webhook: the method. Default: GET.',
  'eventHandlers.headers': 'webhook: headers of the request.',
  ...below('eventHandlers.headers', namedValue),
  'eventHandlers.bodyTemplate': 'webhook: file of the template of the body. Default: a JSON object.',
  'eventHandlers.functionName': 'custom: the name of the object that the file defines.',
  'eventHandlers.path': 'custom: the file of the script.',
  'eventHandlers.logPrefix': 'log: the text before the message.',
  'clientCertificates.allowlist': 'Ids of the client certificates that are accepted.',
}

const header = { name: 'Header with the credential. Default: Authorization.' }
const grant = {
  clientId: 'Id of the client at the authorization server.',
  clientSecret: 'Secret of the client at the authorization server.',
  tokenUrl: 'URL of the token endpoint.',
  scopes: 'Scopes that the gateway requests.',
  ...below('header', header),
}

const upstream = {
  'loadBalancing.targets': 'The targets. Empty: no balancing.',
  'loadBalancing.targets.url': 'URL of the target.',
  'loadBalancing.targets.weight': 'Share of the requests; 0: none.',
  'uptimeTests.tests': 'Hosts that are tested.',
  'uptimeTests.tests.url': 'URL that is requested.',
  'uptimeTests.tests.method': 'Method of the request. Default: GET.',
  'uptimeTests.tests.headers': 'Headers of the request.',
  'uptimeTests.tests.body': 'Body of the request.',
  'serviceDiscovery.parentDataPath': 'Path of the list of entries, or of the text with JSON.',
  'mutualTLS.domainToCertificateMapping': 'Certificate by host.',
  'mutualTLS.domainToCertificateMapping.domain': 'Host of the upstream.',
  'mutualTLS.domainToCertificateMapping.certificate': 'Id of the certificate.',
  'certificatePinning.domainToPublicKeysMapping': 'Public keys by host.',
  'certificatePinning.domainToPublicKeysMapping.domain': 'Host of the upstream.',
  'certificatePinning.domainToPublicKeysMapping.publicKeys': 'Ids of the public keys.',
  'authentication.basicAuth.username': 'User name; it must not contain a colon.',
  'authentication.basicAuth.password': 'Password.',
  ...below('authentication.basicAuth.header', header),
  ...below('authentication.oauth.clientCredentials', grant),
  ...below('authentication.oauth.password', grant),
  'authentication.oauth.password.username': 'Name of the resource owner.',
  'authentication.oauth.password.password': 'Password of the resource owner.',
  'authentication.requestSigning.secret': 'Secret of HMAC signatures.',
  'authentication.requestSigning.keyId': 'Id of the key in the signature; required.',
  'authentication.requestSigning.algorithm':
    'hmac-sha1, hmac-sha256, hmac-sha384, hmac-sha512 or rsa-sha256; required.',
  'authentication.requestSigning.headers':
    'Headers that the signature covers. Default: (request-target) and all headers.',
  'authentication.requestSigning.certificateId': 'Stored certificate with the RSA private key, for rsa-sha256.',
  'authentication.requestSigning.signatureHeader': 'Header with the signature. Default: Authorization.',
  'tlsTransport.ciphers': 'Cipher suites. Default: those of the configuration.',
  'tlsTransport.forceCommonNameCheck': 'The certificate of the upstream must have the host as its common name.',
  'proxy.url': 'URL of the proxy.',
}

const plugin = { functionName: 'Name of the object that the file defines.' }

const global = {
  'cors.allowedOrigins': 'Origins that browsers may call from; * stands for any text. Default: all.',
  'cors.allowedMethods': 'Methods that browsers may use. Default: GET, POST, HEAD.',
  'cors.allowedHeaders': 'Request headers that browsers may send.',
  'cors.exposedHeaders': 'Response headers that scripts in browsers may read.',
  'cors.allowCredentials': 'Browsers may send cookies and credentials.',
  ...below('transformRequestHeaders.add', namedValue),
  ...below('transformResponseHeaders.add', namedValue),
  'requestSizeLimit.value': 'Bytes.',
  'pluginConfig.bundle.path': 'File name of the bundle of scripts.',
  ...Object.assign({}, ...['pre', 'postAuthentication', 'post', 'response'].map(pluginsOf)),
}

/** Scripts of a stage, in both forms. */
function pluginsOf(stage: string): Record<string, string> {
  return {
    ...below(`${stage}Plugins`, plugin),
    [`${stage}Plugin.plugins`]: 'The scripts.',
    ...below(`${stage}Plugin.plugins`, plugin),
  }
}

const operation = {
  'transformRequestMethod.toMethod': 'The new method.',
  ...below('transformRequestHeaders.add', namedValue),
  ...below('transformResponseHeaders.add', namedValue),
  'urlRewrite.rewriteTo': 'The new path or URL.',
  'urlRewrite.triggers': 'Rewrites that depend on headers, parameters, the session or the body; the first one counts.',
  'urlRewrite.triggers.rules': 'Expressions that are compared.',
  'urlRewrite.triggers.rules.name': 'Name of the header, parameter, member or variable.',
  'urlRewrite.triggers.rules.pattern': 'Regular expression; its groups can be used in rewriteTo.',
  'urlRewrite.triggers.rules.negate': 'The expression must not match.',
  'urlRewrite.triggers.rewriteTo': 'The new path or URL if the trigger matches.',
  'cache.cacheResponseCodes': 'Statuses that are cached. Default: those of the API.',
  'virtualEndpoint.functionName': 'Name of the function that responds.',
  'virtualEndpoint.requireSession': 'The script receives the session of the key and may change its meta data.',
  'mockResponse.body': 'Body of the response.',
  'mockResponse.headers': 'Headers of the response.',
  ...below('mockResponse.headers', namedValue),
  'mockResponse.fromOASExamples.code': 'Status whose example is sent. Default: 200.',
  'mockResponse.fromOASExamples.contentType': 'Media type whose example is sent. Default: application/json.',
  'mockResponse.fromOASExamples.exampleName': 'Name of the example. Default: the first one.',
}

const errorOverrides = {
  '*': 'Rules for a status (401) or a class of statuses (4xx); the first that matches counts.',
  '*.match.flag': 'Flag that the error must have, such as AKI.',
  '*.match.messagePattern': 'Regular expression that the text of the error must contain.',
  '*.match.bodyField': 'Path of a value in the JSON body of an upstream, such as err.code.',
  '*.match.bodyValue': 'The text that this value must equal.',
  '*.response.statusCode': 'Status of the response. Default: that of the error.',
  '*.response.body': 'Body of the response: a template with .StatusCode and .Message.',
  '*.response.message': 'Text of the error in the usual layout.',
  '*.response.template': 'Name of an error template that builds the body.',
  '*.response.headers': 'Headers of the response.',
}

export const extensionDescriptions: Readonly<Record<string, string>> = {
  'info.versioning.versions.name': 'Name of the version.',
  'info.versioning.versions.id': 'Id of the API that is the version.',
  'info.versioning.urlVersioningPattern':
    'Regular expression; only a segment that matches is removed from the URL. Default: any.',
  ...below('server', server),
  ...below('upstream', upstream),
  ...below('middleware.global', global),
  ...below('middleware.operations.*', operation),
  ...below('middleware.mcpTools.*', operation),
  ...below('middleware.mcpResources.*', operation),
  ...below('middleware.mcpPrompts.*', operation),
  ...below('errorOverrides.value', errorOverrides),
}

function below(path: string, descriptions: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(descriptions).map(([name, text]) => [`${path}.${name}`, text]))
}
