/**
 * Requests across origins: preflights are answered here, other requests get their headers on whatever is answered,
 * errors of later stages too. Source: spec/apis-and-pipeline.md 4.9; the Fetch standard, 3.3.
 */
import type { CorsDocument } from '../../definition/classic.ts'
import { type HeaderPairs, headerOf } from '../../http/headers.ts'
import type { GatewayRequest, GatewayResponse } from '../../http/messages.ts'
import type { MakeStage } from '../contract/stage.ts'
import { addExtraHeader } from '../shared/extra-headers.ts'
import { compileOrigins, type OriginTest } from './cors-origins.ts'

export const makeCors: MakeStage = ({ api }) => {
  const { cors } = api.document
  if (!cors.enable) return null
  const rules = compileCors(cors)
  return {
    name: 'cors',
    phase: '1-accept',
    run(context) {
      const { request } = context
      if (isPreflight(request)) return preflightResponse(rules, request)
      const headers = headersForOrigin(rules, headerOf(request.headers, 'origin'))
      if (request.method === 'OPTIONS') return { status: 200, headers, body: '' }
      for (let i = 0; i < headers.length; i += 2) {
        addExtraHeader(context, headers[i] as string, headers[i + 1] as string)
      }
      return undefined
    },
  }
}

/** Whether a browser asks beforehand: OPTIONS that names the method it is about. */
export function isPreflight(request: GatewayRequest): boolean {
  return request.method === 'OPTIONS' && headerOf(request.headers, 'access-control-request-method') !== undefined
}

interface CorsRules {
  readonly origins: OriginTest
  readonly methods: ReadonlySet<string>
  /** Lower case; `undefined`: every header. */
  readonly headers: ReadonlySet<string> | undefined
  readonly exposed: string
  readonly credentials: boolean
  readonly maxAge: number
}

function compileCors(cors: CorsDocument): CorsRules {
  const listed = (given: readonly string[] | null, byDefault: readonly string[]) =>
    given === null || given.length === 0 ? byDefault : given
  const headers = listed(cors.allowedHeaders, ['Accept', 'Content-Type', 'X-Requested-With'])
  return {
    origins: compileOrigins(listed(cors.allowedOrigins, ['*'])),
    methods: new Set(listed(cors.allowedMethods, ['GET', 'POST', 'HEAD']).map((method) => method.toUpperCase())),
    // A page cannot help sending Origin, so it needs no entry.
    headers: headers.includes('*') ? undefined : new Set(['origin', ...headers.map((name) => name.toLowerCase())]),
    exposed: (cors.exposedHeaders ?? []).join(', '),
    credentials: cors.allowCredentials,
    maxAge: cors.maxAge,
  }
}

/** Headers of an answer to a request from this origin. Caches must always know that the origin was looked at. */
function headersForOrigin(rules: CorsRules, origin: string | undefined): HeaderPairs {
  const headers: HeaderPairs = ['vary', 'Origin']
  if (origin === undefined || !rules.origins.allows(origin)) return headers
  headers.push('access-control-allow-origin', rules.origins.all ? '*' : origin)
  if (rules.exposed !== '') headers.push('access-control-expose-headers', rules.exposed)
  if (rules.credentials) headers.push('access-control-allow-credentials', 'true')
  return headers
}

/** What is not allowed is told by leaving the permission out; the status says nothing. */
function preflightResponse(rules: CorsRules, { headers: sent }: GatewayRequest): GatewayResponse {
  const headers: HeaderPairs = ['vary', 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers']
  const answer: GatewayResponse = { status: 204, headers, body: undefined }
  const origin = headerOf(sent, 'origin')
  const method = headerOf(sent, 'access-control-request-method')?.toUpperCase() ?? ''
  const asked = headerOf(sent, 'access-control-request-headers') ?? ''
  if (origin === undefined || !rules.origins.allows(origin)) return answer
  if (method !== 'OPTIONS' && !rules.methods.has(method)) return answer
  if (!allowsHeaders(rules, asked)) return answer
  headers.push('access-control-allow-origin', rules.origins.all ? '*' : origin)
  headers.push('access-control-allow-methods', method)
  if (asked !== '') headers.push('access-control-allow-headers', asked)
  if (rules.credentials) headers.push('access-control-allow-credentials', 'true')
  if (rules.maxAge > 0) headers.push('access-control-max-age', String(rules.maxAge))
  return answer
}

/** Browsers send the names in lower case (Fetch standard, 4.8), and nothing else is taken, as recorded. */
function allowsHeaders({ headers }: CorsRules, asked: string): boolean {
  if (headers === undefined || asked === '') return true
  return asked.split(',').every((name) => name.trim() === '' || headers.has(name.trim()))
}
