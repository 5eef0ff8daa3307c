import { type Json, listOf, memberOf, objectOf, textOf } from '../../lib/json.ts'
import { encodeBase64 } from '../../lib/text/base64.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'
import type { AuthModeRecord } from './auth-mode-record.ts'

/** ID tokens of OpenID Connect. */
export const openidMode: AuthModeRecord = {
  name: 'openid',
  stage: 'openid',
  field: 'use_openid',
  isOn: (document) => document.useOpenid,
  configName: 'oidc',
  needsPlace: (document) => document.useOpenid,
  fallback: 'auth',
  identityProvider: 'oidc_user',
  openApi: {
    kind: 'setting',
    member: 'oidc',
    hasPlaces: true,
    fields: (own) => openidFields(objectOf(own)),
  },
}

function openidFields(own: Json): Json {
  const scopes = objectOf(own['scopes'])
  return {
    use_openid: true,
    openid_options: {
      segregate_by_client: own['segregateByClientId'],
      providers: listOf(own['providers']).map((provider) => ({
        issuer: memberOf(provider, 'issuer'),
        client_ids: mapOf(memberOf(provider, 'clientToPolicyMapping'), 'clientId', encodeText),
      })),
    },
    scopes: {
      oidc: {
        scope_claim_name: scopes['claimName'],
        scope_to_policy: mapOf(scopes['scopeToPolicyMapping'], 'scope', (text) => text),
      },
    },
  }
}

/** Policies by another member of the entries. */
function mapOf(entries: unknown, member: string, encode: (text: string) => string): Json {
  return Object.fromEntries(
    listOf(entries).map((entry) => [encode(textOf(memberOf(entry, member))), memberOf(entry, 'policyId')]),
  )
}

/** Client ids are names of members in classic definitions, and therefore written in base64. */
function encodeText(text: string): string {
  return encodeBase64(utf8Bytes(text))
}
