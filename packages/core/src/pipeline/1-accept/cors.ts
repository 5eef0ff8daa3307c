/**
 * CORS: responds to preflight requests, and adds headers to the responses of other requests, errors included
 * (docs/reference/request-pipeline.md#cors, Fetch standard section 3.3).
 */
import type { CorsDocument } from '../../definition/classic.ts'
import { canonicalName } from '../../http/field-names.ts'
import { type HeaderPairs, headerOf } from '../../http/headers.ts'
import type { GatewayRequest, GatewayResponse } from '../../http/messages.ts'
import type { MakeStage } from '../contract/stage.ts'
import { addExtraHeader } from '../shared/extra-headers.ts'
import { addQuotaHeaders } from '../shared/limit-headers.ts'

export const makeCors: MakeStage = ({ api, services }) => {
  const { cors } = api.document
  if (!cors.enable) return null
  const rules = compileCors(cors)
  return {
    run(context) {
      const { request } = context
      if (isPreflight(request)) {
        const response = preflightResponse(rules, request)
        if (services.settings.headers.recorded === 'quotas')
          addQuotaHeaders(context, response, services.settings.headers)
        return response
      }
      const headers = headersForOrigin(rules, request)
      if (request.method === 'OPTIONS') return { status: 200, headers, body: '' }
      for (let i = 0; i < headers.length; i += 2) {
        addExtraHeader(context, headers[i] as string, headers[i + 1] as string)
      }
      return undefined
    },
  }
}

/** Returns true for OPTIONS with `Access-Control-Request-Method`, which browsers send before the real request. */
export function isPreflight({ method, headers }: GatewayRequest): boolean {
  return method === 'OPTIONS' && (headerOf(headers, 'access-control-request-method') ?? '') !== ''
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
    // Methods are case-sensitive (RFC 9110 section 9.1), so a name in small letters matches nothing.
    methods: new Set(listed(cors.allowedMethods, ['GET', 'POST', 'HEAD'])),
    // Browsers always send Origin, so it needs no entry.
    headers: headers.includes('*') ? undefined : new Set(['origin', ...headers.map((name) => name.toLowerCase())]),
    exposed: (cors.exposedHeaders ?? []).map((name) => canonicalName(name.toLowerCase())).join(', '),
    credentials: cors.allowCredentials,
    maxAge: cors.maxAge,
  }
}

/**
 * Headers for the response to a request that is no preflight. `Vary` is always set, because the response depends on the
 * origin. A method that is not allowed gets no permission to read the response.
 */
function headersForOrigin(rules: CorsRules, { headers: sent, method }: GatewayRequest): HeaderPairs {
  const headers: HeaderPairs = ['vary', 'Origin']
  const origin = headerOf(sent, 'origin') ?? ''
  if (origin === '' || !rules.origins.allows(origin) || !allowsMethod(rules, method)) return headers
  headers.push('access-control-allow-origin', rules.origins.all ? '*' : origin)
  if (rules.exposed !== '') headers.push('access-control-expose-headers', rules.exposed)
  if (rules.credentials) headers.push('access-control-allow-credentials', 'true')
  return headers
}

/** If a preflight is not allowed, the response omits the permission headers; the status is 204 in both cases. */
function preflightResponse(rules: CorsRules, { headers: sent }: GatewayRequest): GatewayResponse {
  const headers: HeaderPairs = ['vary', 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers']
  const response: GatewayResponse = { status: 204, headers, body: undefined }
  const origin = headerOf(sent, 'origin') ?? ''
  const method = headerOf(sent, 'access-control-request-method')?.toUpperCase() ?? ''
  const asked = headerOf(sent, 'access-control-request-headers') ?? ''
  if (origin === '' || !rules.origins.allows(origin)) return response
  if (!allowsMethod(rules, method)) return response
  if (!allowsHeaders(rules, asked)) return response
  headers.push('access-control-allow-origin', rules.origins.all ? '*' : origin)
  headers.push('access-control-allow-methods', method)
  if (asked !== '') headers.push('access-control-allow-headers', asked)
  if (rules.credentials) headers.push('access-control-allow-credentials', 'true')
  // A negative age turns the browser's cache off.
  if (rules.maxAge !== 0) headers.push('access-control-max-age', String(Math.max(0, rules.maxAge)))
  return response
}

function allowsMethod({ methods }: CorsRules, method: string): boolean {
  return method === 'OPTIONS' || methods.has(method)
}

/** Browsers send the names in lower case (Fetch standard section 4.8); other spellings do not match, as recorded. */
function allowsHeaders({ headers }: CorsRules, asked: string): boolean {
  if (headers === undefined || asked === '') return true
  return asked.split(',').every((name) => name.trim() === '' || headers.has(name.trim()))
}

/** Allowed origins: whole values, or values with one `*` that matches any text. */
interface OriginTest {
  /** Every origin is allowed, so responses need not name the origin of the request. */
  readonly all: boolean
  allows(origin: string): boolean
}

/** Compiles `allowed_origins`. Schemes and hosts are case-insensitive (RFC 6454 section 4). */
function compileOrigins(allowed: readonly string[]): OriginTest {
  if (allowed.includes('*')) return { all: true, allows: () => true }
  const whole = new Set<string>()
  const open: { readonly prefix: string; readonly suffix: string }[] = []
  for (const entry of allowed) {
    const value = entry.toLowerCase()
    const star = value.indexOf('*')
    if (star === -1) whole.add(value)
    else open.push({ prefix: value.slice(0, star), suffix: value.slice(star + 1) })
  }
  return {
    all: false,
    allows(origin) {
      const value = origin.toLowerCase()
      if (whole.has(value)) return true
      return open.some(
        ({ prefix, suffix }) =>
          value.length >= prefix.length + suffix.length && value.startsWith(prefix) && value.endsWith(suffix),
      )
    },
  }
}
