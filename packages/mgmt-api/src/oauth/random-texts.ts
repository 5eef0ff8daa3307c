/** Secrets and tokens made of random UUIDs, in their recorded forms. Source: docs/reference/oauth-clients.md#creating-a-client, docs/reference/oauth-endpoints.md#token-endpoint. */
import { dashedUuid } from '@turnpike/core/lib'
import type { Ids } from '@turnpike/core/ports'

/** Base64 of a UUID as text: 48 characters. For client secrets and refresh tokens. */
export function longText(ids: Ids): string {
  return Buffer.from(dashedUuid(ids.uuid())).toString('base64')
}

/** 22 characters of base64url. For authorization codes. */
export function codeText(ids: Ids): string {
  return Buffer.from(ids.uuid(), 'hex').toString('base64url')
}
