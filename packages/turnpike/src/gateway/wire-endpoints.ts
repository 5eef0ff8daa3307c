/** Creates the endpoints below the listen paths of APIs: batch requests and the OAuth 2.0 server. */
import type { Endpoint } from '@turnpike/core'
import { makeBatchEndpoint, makeOAuth, makeOAuthEndpoints, type OAuth, type OAuthServices } from '@turnpike/mgmt-api'
import type { GatewayConfig } from '../config/config-shape.ts'
import { toOAuthSettings } from '../config/to-settings.ts'

export interface WiredEndpoints {
  readonly oauth: OAuth
  readonly endpoints: readonly Endpoint[]
}

export function wireEndpoints(config: GatewayConfig, dependencies: Omit<OAuthServices, 'oauth'>): WiredEndpoints {
  const oauth = makeOAuth({ ...dependencies, oauth: toOAuthSettings(config) })
  return { oauth, endpoints: [makeBatchEndpoint(config.batch), ...makeOAuthEndpoints(oauth, config.secret)] }
}
