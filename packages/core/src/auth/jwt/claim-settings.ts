/**
 * Which claims the definition of an API requires, and whether its tokens are bound to an issuer or an audience: a key set
 * by URL often signs the tokens of every application of its issuer. Source: docs/reference/jwt.md#claim-validation.
 */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import { jwtSchemeIn } from '../../definition/openapi/jwt-scheme.ts'
import { type Json, listOf, memberOf, textsOf } from '../../lib/json.ts'
import { decodeBase64 } from '../../lib/text/base64.ts'
import { strictUtf8Text } from '../../lib/text/utf8.ts'

type Api = Pick<ApiDefinition, 'document' | 'oas'>

/** The rules of the OpenAPI document, or those of a classic definition. */
export function claimSettings({ document, oas }: Api, vendor: string): Json {
  const { jwtAllowedIssuers, jwtAllowedAudiences } = document
  return jwtSchemeIn(oas, vendor) ?? { allowedIssuers: jwtAllowedIssuers, allowedAudiences: jwtAllowedAudiences }
}

/** URLs of the key sets of the OpenAPI document, or of a classic definition. */
export function listedKeySets({ document, oas }: Api, vendor: string): readonly string[] {
  const scheme = jwtSchemeIn(oas, vendor)
  const listed = scheme === undefined ? (document.jwtJwksUris ?? []) : listOf(scheme['jwksURIs'])
  return listed.map((entry) => memberOf(entry, 'url')).filter((url) => typeof url === 'string')
}

/** The URL in a source of keys, plain or in base64; `undefined`: the source is a key. */
export function keySetUrlOf(source: string): string | undefined {
  const bytes = decodeBase64(source)
  const decoded = bytes === undefined ? undefined : strictUtf8Text(bytes)
  return [source, decoded].find((text) => text !== undefined && /^https?:\/\//i.test(text))
}

/** Returns the URL of the key set whose tokens are accepted for any audience and of any issuer; `undefined`: none is. */
export function unboundKeySet(api: Api, vendor: string): string | undefined {
  if (!api.document.enableJwt || api.document.useKeyless) return undefined
  const { allowedIssuers, allowedAudiences } = claimSettings(api, vendor)
  if (textsOf(allowedIssuers).length > 0 || textsOf(allowedAudiences).length > 0) return undefined
  return keySetUrlOf(api.document.jwtSource || (listedKeySets(api, vendor)[0] ?? ''))
}
