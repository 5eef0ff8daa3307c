/** `server.authentication`: methods and their settings. Source: docs/reference/openapi-authentication.md. */
import {
  anything,
  boolean,
  described,
  camelObject as group,
  integer,
  list,
  map,
  number,
  text,
} from '../../../lib/shape/shape.ts'
import { enabled, places, switchShape, words } from './shared-members.ts'

const policyByScope = list(
  group({ scope: described('The scope.', text), policyId: described('Id of the policy that it adds.', text) }),
)

const scopesShape = group({
  claimName: described('Claim that lists the scopes of a token.', text),
  claims: described('Names of the claim; the first one counts.', list(text)),
  scopeToPolicyMapping: described('The policy that each scope adds.', policyByScope),
})

const jwtMembers = {
  source: described('The secret, the public key in base64, or the URL of a key set.', text),
  jwksURIs: described(
    'Key sets that verify the signature.',
    list(group({ url: described('URL of the key set.', text) })),
  ),
  signingMethod: described('Family of the signature: hmac, rsa or ecdsa.', text),
  identityBaseField: described('Claim that identifies the caller.', text),
  subjectClaims: described('Claims that identify the caller, in order.', list(text)),
  policyFieldName: described('Claim that names the policy.', text),
  basePolicyClaims: described('Claims that name the policy, in order.', list(text)),
  clientBaseField: described('Claim that names the client.', text),
  defaultPolicies: described('Policies of tokens that name none.', list(text)),
  issuedAtValidationSkew: described('Tolerance for `iat` in seconds.', integer),
  notBeforeValidationSkew: described('Tolerance for `nbf` in seconds.', integer),
  expiresAtValidationSkew: described('Tolerance for `exp` in seconds.', integer),
  skipKid: described('Ignores the header `kid`.', boolean),
  idpClientIdMappingDisabled: described('Claims do not set the OAuth client of the session.', boolean),
  scopes: described('Policies by scope.', scopesShape),
  allowedIssuers: described('Accepted values of `iss`.', list(text)),
  allowedAudiences: described('Accepted values of `aud`.', list(text)),
  allowedSubjects: described('Accepted values of `sub`.', list(text)),
  jtiValidation: described('Requires a token id.', switchShape),
  customClaimValidation: described(
    'Rules for other claims, by the name of the claim.',
    map(
      group({
        enabled,
        type: described('required, exact_match or contains.', words('required', 'exact_match', 'contains')),
        allowedValues: described('Values for exact_match and contains.', list(anything)),
        nonBlocking: described('The rule rejects no token.', boolean),
      }),
    ),
  ),
}

const basicMembers = {
  disableCaching: described('Checks the password with bcrypt at every request.', boolean),
  cacheTTL: described('Seconds for which a checked password is remembered.', integer),
  extractCredentialsFromBody: described(
    'Reads user name and password from the body.',
    group({
      enabled,
      userRegexp: described('Regular expression; its first group is the user name.', text),
      passwordRegexp: described('Regular expression; its first group is the password.', text),
    }),
  ),
}

const signatureShape = group({
  enabled,
  algorithm: described('MasherySHA256 or MasheryMD5.', text),
  header: described('Header with the signature.', text),
  query: group({ enabled, name: described('Query parameter with the signature.', text) }),
  secret: described('Secret of the signature.', text),
  allowedClockSkew: described('Tolerance in seconds.', integer),
  errorCode: described('Status of a rejection.', integer),
  errorMessage: described('Text of a rejection.', text),
})

const providerShape = group({
  jwt: described(
    'Verifies tokens as JSON web tokens.',
    group({
      enabled,
      signingMethod: described('Family of the signature: hmac, rsa or ecdsa. Default: hmac.', text),
      source: described('The secret or the PEM key in base64, or the URL of a key set.', text),
      identityBaseField: described('Claim that identifies the caller. Default: sub.', text),
      issuedAtValidationSkew: described('Tolerance for `iat` in seconds.', integer),
      notBeforeValidationSkew: described('Tolerance for `nbf` in seconds.', integer),
      expiresAtValidationSkew: described('Tolerance for `exp` in seconds.', integer),
    }),
  ),
  introspection: described(
    'Verifies tokens by introspection (RFC 7662).',
    group({
      enabled,
      url: described('URL of the introspection endpoint.', text),
      clientId: described('Id of the gateway at the authorization server.', text),
      clientSecret: described('Secret of the gateway at the authorization server.', text),
      identityBaseField: described('Member of the response that identifies the caller. Default: sub.', text),
      cache: group({ enabled, timeout: described('Seconds.', integer) }),
    }),
  ),
})

const oauthMembers = {
  allowedAccessTypes: described('Grant types; default: those of the flows of the scheme.', list(text)),
  allowedAuthorizeTypes: described('Response types of the authorization endpoint: code, token.', list(text)),
  authLoginRedirect: described('URL of the login page.', text),
  refreshToken: described('Issues refresh tokens.', boolean),
  notifications: group({
    sharedSecret: described('Value of a header by which the receiver recognises the gateway.', text),
    onKeyChangeUrl: described('URL that receives a POST with each new token.', text),
  }),
  providers: described('Other authorization servers; the first one counts.', list(providerShape)),
}

/** Members of all methods; which of them count depends on the type of the security scheme. */
const schemeShape = group({
  enabled,
  ...places,
  ...jwtMembers,
  ...basicMembers,
  ...oauthMembers,
  signature: described('A signature beside the API key.', signatureShape),
})

const hmacShape = group({
  enabled,
  ...places,
  allowedAlgorithms: described('Accepted algorithms; default: all.', list(text)),
  allowedClockSkew: described('Tolerance for the date in milliseconds; 0: no check.', number),
  requireSignedContent: described(
    'Signatures must cover (request-target), the date and a digest of the body.',
    boolean,
  ),
})

const oidcShape = group({
  enabled,
  ...places,
  segregateByClientId: described('Sessions are separate for each client.', boolean),
  providers: described(
    'Issuers, with the policy of each client.',
    list(
      group({
        issuer: described('URL of the issuer, as in the claim `iss`.', text),
        clientToPolicyMapping: described(
          'Policy by client.',
          list(
            group({
              clientId: described('Id of the client, as in the claim `aud`.', text),
              policyId: described('Id of the policy of its users.', text),
            }),
          ),
        ),
      }),
    ),
  ),
  scopes: scopesShape,
})

const authCheckShape = group({
  enabled,
  functionName: described('Name of the object that the file defines.', text),
  path: described('File of the script.', text),
  rawBodyOnly: boolean,
  requireSession: described('The script receives the session.', boolean),
  idExtractor: anything,
})

export const authenticationShape = group({
  enabled: described('Requires a credential. Default: false, the API is open to everyone.', boolean),
  stripAuthorizationData: described('Removes the credential before the upstream is called.', boolean),
  baseIdentityProvider: described('Which of several methods provides the session.', text),
  securitySchemes: described('Settings of the schemes of `components.securitySchemes`, by name.', map(schemeShape)),
  securityProcessingMode: described(
    'legacy: the first entry of `security` applies. compliant: the entries are alternatives.',
    text,
  ),
  security: described('Further groups of methods: lists of names.', list(list(text))),
  protectedResourceMetadata: described(
    'Publishes metadata as RFC 9728 describes them.',
    group({
      enabled,
      resource: described('Identifier of the resource, an https URL.', text),
      authorizationServers: described('Issuers of the authorization servers.', list(text)),
      scopesSupported: described('Scopes that clients may request.', list(text)),
      wellKnownPath: described('Default: .well-known/oauth-protected-resource.', text),
    }),
  ),
  hmac: described('Signed requests.', hmacShape),
  oidc: described('ID tokens of OpenID Connect.', oidcShape),
  custom: described('Authentication by a script.', group({ enabled, config: authCheckShape })),
})
