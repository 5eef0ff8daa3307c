/** Tokens that other authorization servers issued. Source: docs/reference/external-oauth.md, docs/reference/openid-connect.md. */
import { boolean, integer, list, map, type Of, object, text } from '../lib/shape/shape.ts'

/** Wire form of `external_oauth`. Only the first provider counts. */
export const externalOAuthShape = object({
  enabled: boolean,
  providers: list(
    object({
      jwt: object({
        enabled: boolean,
        signingMethod: text,
        source: text,
        issuedAtValidationSkew: integer,
        notBeforeValidationSkew: integer,
        expiresAtValidationSkew: integer,
        identityBaseField: text,
      }),
      introspection: object({
        enabled: boolean,
        url: text,
        clientId: text,
        clientSecret: text,
        identityBaseField: text,
        cache: object({ enabled: boolean, timeout: integer }),
      }),
    }),
  ),
})

export type ExternalProvider = NonNullable<Of<typeof externalOAuthShape>['providers']>[number]

/** Wire form of `openid_options`. `clientIds`: policy by client id, which is written in base64. */
export const openidOptionsShape = object({
  providers: list(object({ issuer: text, clientIds: map(text) })),
  segregateByClient: boolean,
})
