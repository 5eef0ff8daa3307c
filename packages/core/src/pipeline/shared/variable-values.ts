/**
 * Variables: texts are compiled with the API, values belong to the request (docs/reference/transforms.md#variables). Each
 * value is computed when it is read, because most requests read few of them.
 */

import { canonicalName } from '../../http/field-names.ts'
import { headerOf, headersOf } from '../../http/headers.ts'
import { type FormFields, formFields, isFormType } from '../../lib/form.ts'
import { variableText } from '../../lib/template/escape-variable.ts'
import { compileVariableText, type VariableText, type VariableWords } from '../../lib/template/variable-text.ts'
import { decodePercent } from '../../lib/text/percent.ts'
import { utf8Text } from '../../lib/text/utf8.ts'
import type { CachedKey } from '../../session/cached-key.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { RequestVariables } from '../contract/request-variables.ts'
import type { CompileContext } from '../contract/stage.ts'
import type { StageServices } from '../contract/stage-services.ts'
import { clientAddressOf } from './client-address.ts'
import { limitText, limitVariables } from './shown-limits.ts'

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

/** One object per request, kept in `context.variables`, so that all stages see the same request id. */
class VariableValues implements RequestVariables {
  private readonly context: RequestContext
  private readonly services: StageServices
  private readonly kept = new Map<string, string>()
  private requestId: string | undefined
  private fields: FormFields | undefined

  constructor(context: RequestContext, services: StageServices) {
    this.context = context
    this.services = services
  }

  keep(name: string, value: string): void {
    this.kept.set(name, value)
  }

  setForm(body: Uint8Array): void {
    this.fields = formFields(utf8Text(body), this.context.request.query)
  }

  contextText(name: string): string {
    const kept = this.kept.get(name)
    const { context, services } = this
    // Without `enable_context_vars` only the values that stages set exist.
    if (kept !== undefined || !context.api.document.enableContextVars) return kept ?? ''
    if (name === 'path') return decodePercent(context.request.path)
    if (name === 'path_parts') return decodePercent(context.request.path).split('/').join(',')
    if (name === 'remote_addr') return this.address()
    if (name === 'request_id') return this.id()
    if (name.startsWith('headers_')) return this.header(name.slice(8))
    if (name.startsWith('request_data_')) return this.field(name.slice(13))
    if (name.startsWith('cookies_')) return this.cookies().get(name.slice(8)) ?? ''
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
      if (name === 'host') continue
      const shown = canonicalName(name)
      headers.set(shown, headersOf(request.headers, name))
      all.set(`headers_${underscored(shown)}`, headerOf(request.headers, name) ?? '')
    }
    const data = new Map<string, unknown>()
    for (const [name, values] of this.formFields()) {
      data.set(name, [...values])
      all.set(`request_data_${underscored(name)}`, values.join(';'))
    }
    for (const [name, value] of this.cookies()) all.set(`cookies_${name}`, value)
    for (const name of limitVariables) {
      const value = limitText(name, this.context, this.services.settings.headers)
      if (value !== '') all.set(name, value)
    }
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
      if (name.length !== underscoredName.length || name === 'host') continue
      if (underscored(canonicalName(name)) === underscoredName) return headers[i + 1] as string
    }
    return ''
  }

  private field(underscoredName: string): string {
    for (const [name, values] of this.formFields()) {
      if (underscored(name) === underscoredName) return values.join(';')
    }
    return ''
  }

  private formFields(): FormFields {
    this.fields ??= formFields(this.context.request.query)
    return this.fields
  }

  private cookies(): Map<string, string> {
    const cookies = new Map<string, string>()
    for (const line of headersOf(this.context.request.headers, 'cookie')) {
      for (const part of line.split(';')) {
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

const underscored = (name: string) => name.replaceAll('-', '_')
