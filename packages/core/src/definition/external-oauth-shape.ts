/** Tokens that other authorization servers issued. Source: docs/reference/external-oauth.md, docs/reference/openid-connect.md. */
import { boolean, described, integer, list, map, type Of, object, text } from '../lib/shape/shape.ts'

/** Wire form of `external_oauth`. Only the first provider counts. */
export const externalOAuthShape = object({
  enabled: described('Requests need an access token of another authorization server.', boolean),
  providers: described(
    'Authorization servers; the first one counts.',
    list(
      object({
        jwt: object({
          enabled: described('Verifies tokens as JSON web tokens; wins over introspection.', boolean),
          signingMethod: described('Family of the signature: hmac, rsa or ecdsa. Default: hmac.', text),
          source: described('The secret or the PEM key in base64, or the URL of a key set.', text),
          issuedAtValidationSkew: described('Tolerance for `iat` in seconds.', integer),
          notBeforeValidationSkew: described('Tolerance for `nbf` in seconds.', integer),
          expiresAtValidationSkew: described('Tolerance for `exp` in seconds.', integer),
          identityBaseField: described('Claim that identifies the caller. Default: sub.', text),
        }),
        introspection: object({
          enabled: described('Verifies tokens by introspection (RFC 7662).', boolean),
          url: described('URL of the introspection endpoint.', text),
          clientId: described('Id of the gateway at the authorization server.', text),
          clientSecret: described('Secret of the gateway at the authorization server.', text),
          identityBaseField: described('Member of the response that identifies the caller. Default: sub.', text),
          cache: object({
            enabled: described('Caches results of introspection, rejections too.', boolean),
            timeout: described('Seconds for which a result is cached; 0: not at all.', integer),
          }),
        }),
      }),
    ),
  ),
})

export type ExternalProvider = NonNullable<Of<typeof externalOAuthShape>['providers']>[number]

/** Wire form of `openid_options`. `clientIds`: policy by client id, which is written in base64. */
export const openidOptionsShape = object({
  providers: described(
    'Issuers of ID tokens.',
    list(
      object({
        issuer: described('URL of the issuer, as in the claim `iss`.', text),
        clientIds: described('Policy by client id; the client id is written in base64.', map(text)),
      }),
    ),
  ),
  segregateByClient: described('A user has a separate session for each client.', boolean),
})
