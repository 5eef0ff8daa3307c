/**
 * Serves the playground of a GraphQL API, a page that sends queries to the listen path. The page needs no key, its
 * queries do (docs/reference/graphql.md#playground).
 */
import type { GatewayResponse } from '../../http/messages.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { MakeStage } from '../contract/stage.ts'
import { compileGraphql } from '../graphql/compiled-graphql.ts'
import { playgroundPage, playgroundScript } from '../graphql/playground-page.ts'

export const makeGraphqlPlayground: MakeStage = ({ api }) => {
  const graphql = compileGraphql(api)
  const path = graphql?.settings.playground
  if (path === undefined || graphql?.unserved !== undefined) return null
  const pagePath = path === '' ? '/' : path
  const scriptPath = `${path}/playground.js`
  return {
    run(context) {
      if (context.request.method !== 'GET' || context.request.upgrade !== undefined) return undefined
      if (context.path === pagePath) return page(context, api.name, path)
      if (context.path === scriptPath) return file('text/javascript; charset=utf-8', playgroundScript)
      return undefined
    },
  }
}

function page({ request, path: own }: RequestContext, name: string, path: string): GatewayResponse {
  const base = request.path.slice(0, request.path.length - (path === '' ? 0 : own.length))
  const endpoint = base.endsWith('/') ? base : `${base}/`
  const script = path === '' ? `${endpoint}playground.js` : `${request.path}/playground.js`
  return file('text/html; charset=utf-8', playgroundPage(name, endpoint, script))
}

function file(type: string, body: string): GatewayResponse {
  const policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'self'; connect-src 'self'; base-uri 'none'"
  const headers = ['content-type', type, 'content-security-policy', policy, 'x-content-type-options', 'nosniff']
  return { status: 200, headers, body }
}
