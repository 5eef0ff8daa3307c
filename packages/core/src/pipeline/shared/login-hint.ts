/**
 * `WWW-Authenticate` with the URL of the OAuth metadata, for clients whose key or token is missing or rejected (RFC 9728
 * section 5.1, docs/reference/openapi-authentication.md#protected-resource-metadata).
 */

import { speaksMcp } from '../../definition/mcp/primitive.ts'
import { originOf, resourceMetadataOf } from '../../definition/openapi/resource-metadata-document.ts'
import type { GatewayResponse } from '../../http/messages.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext } from '../contract/stage.ts'

/** Adds the header to the response to a rejection, if the stage that rejected it calls for one. */
export type AddLoginHint = (context: RequestContext, response: GatewayResponse, stage: string | undefined) => void

/**
 * Stages whose credential an OAuth server can issue. A basic login has a challenge of its own, the gateway itself issues
 * its OAuth tokens, and several groups of methods have no common hint.
 */
const stagesWithHint: ReadonlySet<string> = new Set(['auth-token', 'jwt', 'external-oauth'])

/** Returns `undefined` if the API publishes no metadata. */
export function makeLoginHint({ api, services }: CompileContext): AddLoginHint | undefined {
  const vendor = services.settings.vendor.toLowerCase()
  const isMcp = speaksMcp(api.document)
  const metadata = resourceMetadataOf(api.oas, services.settings.vendor, isMcp)
  if (metadata === undefined || api.authModes.length === 0 || api.authGroups !== undefined) return undefined
  const path = `${api.listenPath.replace(/\/$/, '')}${metadata.path}`
  return ({ request, rejectedIn }, response, stage) => {
    const asksKey = stagesWithHint.has(stage ?? '')
    // An expired key of an MCP proxy is rejected in a later phase.
    if (!asksKey && !(isMcp && response.status === 401 && rejectedIn !== '2-identify')) return
    const origin = originOf(request)
    if (origin === undefined || response.status >= 500) return
    const hint = `resource_metadata="${origin}${path}"`
    const challengeAt = response.headers.indexOf('www-authenticate') + 1
    if (challengeAt > 0 && response.headers[challengeAt]?.startsWith('Bearer ')) {
      response.headers[challengeAt] += `, ${hint}`
    } else response.headers.push('www-authenticate', `Bearer realm="${vendor}", ${hint}`)
  }
}
