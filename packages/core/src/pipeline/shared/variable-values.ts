/**
 * Variables: texts are compiled with the API, values belong to the request (docs/reference/transforms.md#variables). Each
 * value is computed when it is read, because most requests read few of them.
 */

import { canonicalName } from '../../http/field-names.ts'
import { headerOf, headersOf } from '../../http/headers.ts'
import { type FormFields, formFields, isFormType } from '../../lib/form.ts'
import { variableText } from '../../lib/template/escape-variable.ts'
import { compileVariableText, type VariableText, type VariableWords } from '../../lib/template/variable-text.ts'
import { textOfFieldValue } from '../../lib/text/field-values.ts'
import { decodePercent } from '../../lib/text/percent.ts'
import { utf8Text } from '../../lib/text/utf8.ts'
import type { CachedKey } from '../../session/cached-key.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { RequestVariables } from '../contract/request-variables.ts'
import type { CompileContext } from '../contract/stage.ts'
import type { StageServices } from '../contract/stage-services.ts'
import { clientAddressOf } from './client-address.ts'
import { limitText, limitVariables } from './shown-limits.ts'
import { claimsOfToken, claimText } from './token-variables.ts'

/** Returns the words that begin the names of variables in this gateway. */
export function variableWords({ services }: CompileContext): VariableWords {
  return { vendor: services.settings.vendor.toLowerCase(), secret: services.secret }
}

export function compileText(text: string, compileContext: CompileContext): VariableText {
  return compileVariableText(text, variableWords(compileContext))
}

/** Returns the variables of a request; the same object for all stages. */
export function variablesOf(context: RequestContext, { services }: CompileContext): RequestVariables {
  context.variables ??= new VariableValues(context, services)
  return context.variables
}

/** A value of the key's metadata as text; empty if it is missing. */
export function metaTextOf(key: CachedKey | undefined, name: string): string {
  const meta = key?.session.metaData
  return meta != null && Object.hasOwn(meta, name) ? variableText(meta[name]) : ''
}

const formMethods: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])

const noClaims: { token: string | undefined; claims: ReadonlyMap<string, unknown> } = {
  token: undefined,
  claims: new Map(),
}

/** One object per request, kept in `context.variables`, so that all stages see the same request id. */
class VariableValues implements RequestVariables {
  private readonly context: RequestContext
  private readonly services: StageServices
  private readonly kept = new Map<string, string>()
  private requestId: string | undefined
  private fields: FormFields | undefined
  private tokenClaims: typeof noClaims | undefined

  constructor(context: RequestContext, services: StageServices) {
    this.context = context
    this.services = services
  }

  keep(name: string, value: string): void {
    this.kept.set(name, value)
  }

  setForm(body: Uint8Array): void {
    this.fields = readFields(utf8Text(body), this.context.request.query)
  }

  contextText(name: string): string {
    const kept = this.kept.get(name)
    const { context, services } = this
    // Without `enable_context_vars` only the values that stages set exist.
    if (kept !== undefined || !context.api.document.enableContextVars) return kept ?? ''
    if (name === 'path') return decodePercent(context.request.path)
    if (name === 'path_parts') return decodePercent(context.request.path).replace(/^\//, '').split('/').join(',')
    if (name === 'remote_addr') return this.address()
    if (name === 'request_id') return this.id()
    if (name.startsWith('headers_')) return this.header(name.slice(8))
    if (name.startsWith('request_data_')) return this.field(name.slice(13))
    if (name === 'request_data') return this.allFields()
    if (name.startsWith('cookies_')) return this.cookies().get(name.slice(8)) ?? ''
    if (name.startsWith('jwt_claims_')) return claimText(this.claims().get(name.slice(11)))
    if (name === 'token') return context.token?.keyName ?? ''
    return limitText(name, context, services.settings.headers)
  }

  metaText(key: string): string {
    return metaTextOf(this.context.key, key)
  }

  contextMap(): Map<string, unknown> {
    const { request } = this.context
    const path = decodePercent(request.path)
    const all = new Map<string, unknown>([
      ['path', path],
      ['path_parts', path.split('/')],
      ['remote_addr', this.address()],
      ['request_id', this.id()],
    ])
    const headers = new Map<string, unknown>()
    for (const name of new Set(request.headers.filter((_, i) => i % 2 === 0))) {
      const shown = canonicalName(name)
      if (name !== 'host') headers.set(shown, headersOf(request.headers, name).map(textOfFieldValue))
      all.set(`headers_${underscored(shown)}`, textOfFieldValue(headerOf(request.headers, name) ?? ''))
    }
    const data = new Map<string, unknown>()
    for (const [name, values] of this.formFields()) {
      data.set(name, [...values])
      all.set(`request_data_${underscored(name)}`, values[0])
    }
    for (const [name, value] of this.cookies()) all.set(`cookies_${name}`, value)
    for (const name of limitVariables) {
      const value = limitText(name, this.context, this.services.settings.headers)
      if (value !== '') all.set(name, value)
    }
    for (const [name, value] of this.claims()) all.set(`jwt_claims_${name}`, value)
    if (this.context.token !== undefined) all.set('token', this.context.token.keyName)
    for (const [name, value] of this.kept) all.set(name, value)
    return all.set('headers', headers).set('request_data', data)
  }

  private address(): string {
    return clientAddressOf(this.context, this.services.settings.routing)
  }

  private id(): string {
    this.requestId ??= this.services.ids?.uuid() ?? ''
    return this.requestId
  }

  private header(underscoredName: string): string {
    const { headers } = this.context.request
    for (let i = 0; i < headers.length; i += 2) {
      const name = headers[i] as string
      if (name.length !== underscoredName.length) continue
      if (underscored(canonicalName(name)) === underscoredName) return textOfFieldValue(headers[i + 1] as string)
    }
    return ''
  }

  private field(underscoredName: string): string {
    for (const [name, values] of this.formFields()) {
      if (underscored(name) === underscoredName) return values[0] as string
    }
    return ''
  }

  private allFields(): string {
    return [...this.formFields()].map(([name, values]) => `${name}:${values[0]}`).join(';')
  }

  private formFields(): FormFields {
    this.fields ??= readFields(this.context.request.query)
    return this.fields
  }

  private claims(): ReadonlyMap<string, unknown> {
    const { token } = this.context
    if (this.tokenClaims?.token !== token?.text) this.tokenClaims = undefined
    this.tokenClaims ??= token === undefined ? noClaims : { token: token.text, claims: claimsOfToken(token.text) }
    return this.tokenClaims.claims
  }

  private cookies(): Map<string, string> {
    const cookies = new Map<string, string>()
    for (const line of headersOf(this.context.request.headers, 'cookie')) {
      for (const part of textOfFieldValue(line).split(';')) {
        const equals = part.indexOf('=')
        if (equals > 0) cookies.set(underscored(part.slice(0, equals).trim()), part.slice(equals + 1).trim())
      }
    }
    return cookies
  }
}

/** Returns true if the body is a form, whose fields are `request_data`. */
export function isForm({ request }: RequestContext): boolean {
  if (!formMethods.has(request.method)) return false
  return isFormType(headerOf(request.headers, 'content-type'))
}

/** Servers differ in whether a semicolon ends a field, so fields with one are left out. */
function readFields(...texts: readonly string[]): FormFields {
  const clear = (text: string) => (text.includes(';') ? text.replace(/[^&]*;[^&]*/g, '') : text)
  return formFields(...texts.map(clear))
}

const underscored = (name: string) => name.replaceAll('-', '_')
