/** A call of an OAuth endpoint, with its body. */
import { type ApiDefinition, type GatewayRequest, headerOf } from '@turnpike/core'
import type { CheckClientSecret } from '../client-authentication.ts'
import { type Form, formTextOf, parseFormAndQuery } from '../form.ts'
import type { ApiOAuth } from '../oauth.ts'
import type { OAuthSettings } from '../oauth-settings.ts'

export interface OAuthCall {
  readonly request: GatewayRequest
  readonly body: Uint8Array
  readonly api: ApiDefinition
  /** OAuth of the API. */
  readonly apiOAuth: ApiOAuth
  /** Of the client; its wrong secrets and passwords are counted. */
  readonly address: string
  readonly checkSecret: CheckClientSecret
  readonly settings: OAuthSettings
}

/** Parameters of form and query; `undefined` if an escape is invalid. */
export function formOf({ request, body }: OAuthCall): Form | undefined {
  return parseFormAndQuery(formTextOf(body, headerOf(request.headers, 'content-type')), request.query)
}
