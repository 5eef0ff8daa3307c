/**
 * The parts of a management API that the engine's subjects of properties 15 and 18 attach to the engine. Those of Turnpike
 * are in `@turnpike/mgmt-api/testing`; the testkit does not depend on them.
 */
import type { ApiDefinition } from '@turnpike/core/definition'
import type { Engine, EngineOptions } from '@turnpike/core/engine'
import type { Endpoint } from '@turnpike/core/pipeline'

export interface ManagementUnderTest {
  /** Makes the endpoint of batch requests. */
  readonly makeBatchEndpoint: () => Endpoint
  readonly makeOAuthServer: MakeOAuthServer
}

/** Makes the OAuth server of an engine. `engine` is a function, because the engine is made with the server. */
export type MakeOAuthServer = (
  parts: EngineOptions,
  engine: () => Engine,
  settings: { /** Lifetime of a refresh token. */ readonly refreshSeconds: number },
) => OAuthServerUnderTest

export interface OAuthServerUnderTest extends Pick<Required<EngineOptions>, 'clientExists'> {
  of(api: ApiDefinition): ApiOAuthUnderTest
}

/** OAuth 2.0 of one API. */
export interface ApiOAuthUnderTest {
  addClient(client: { readonly id: string; readonly secret: string; readonly redirectUri: string }): Promise<void>
  /** Approves a request for an authorization code and returns the code. Throws if the request is rejected. */
  approve(fields: FormFields): Promise<string>
  /** Requests tokens and returns the refresh token, or `undefined` if the request was rejected. */
  requestTokens(authorization: string, fields: FormFields): Promise<string | undefined>
}

/** The fields of a form, by name. */
export type FormFields = Readonly<Record<string, string>>
