/**
 * Body templates of `transform` and `transform_response`: parsed once, rendered for each body
 * (docs/reference/transforms.md#body-templates).
 */

import { readTemplateSource, unreadableTemplate } from '../../definition/template-files.ts'
import { changedByTemplates } from '../../lib/template/print.ts'
import { readXml, xmlLimitProblem } from '../../lib/template/read-xml.ts'
import { templateSources } from '../../lib/template/sources.ts'
import { parseTemplate } from '../../lib/template/template.ts'
import { isMapping } from '../../lib/template/value.ts'
import type { VariableText } from '../../lib/template/variable-text.ts'
import { jsonLimitProblem, readExactJson } from '../../lib/text/read-json.ts'
import { utf8Bytes, utf8Text } from '../../lib/text/utf8.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext } from '../contract/stage.ts'
import { compileText, variablesOf } from './variable-values.ts'

type TemplateRule = CompileContext['version']['paths']['transform'][number]

export interface BodyTemplate {
  /** Parses a body; `undefined` if it is invalid or has too many values. An empty body gives an empty map. */
  read(body: Uint8Array): Map<string, unknown> | undefined
  /** Why the body has too many values or levels to be parsed; `undefined`: it does not. */
  limitProblem(body: Uint8Array): string | undefined
  /** Returns the new body; `undefined` if the template is invalid, or, with a warning, if it fails on this data. */
  render(
    data: Map<string, unknown>,
    context: RequestContext,
    encode?: (value: string) => string,
  ): Uint8Array | undefined
}

/**
 * If the template cannot be read or parsed, `render` always returns `undefined`: the rule stays, so that no body that it
 * was to change passes.
 */
export function compileBodyTemplate(
  { path, templateData }: TemplateRule,
  compileContext: CompileContext,
): BodyTemplate {
  const { services, api } = compileContext
  const kind = templateData.inputType.toLowerCase() === 'xml' ? xmlBody : jsonBody
  const invalid = (reason: string): BodyTemplate => {
    services.log.error('a body template is invalid: its path responds with 500', { api: api.id, path, reason })
    return { ...kind, render: () => undefined }
  }
  const source = readTemplateSource(templateData, api.templateFiles)
  if (source === undefined) return invalid(unreadableTemplate(templateData))
  const template = parseTemplate(source)
  if (template.problem !== undefined) return invalid(template.problem.message)
  const expand = makeExpand(source, compileContext)
  const sources = templateSources(services.clock, services.ids)
  return {
    ...kind,
    render(body, context, encode) {
      const data = withOwnData(body, context, compileContext, templateData.enableSession)
      const expandText = expand?.(context, encode)
      const rendered = template.render(data, { sources, ...(expandText === undefined ? {} : { expandText }) })
      if (rendered.problem === undefined) return utf8Bytes(rendered.text)
      services.log.warn('a body template failed', { api: api.id, path, reason: rendered.problem.message })
      return undefined
    },
  }
}

const jsonBody: Pick<BodyTemplate, 'read' | 'limitProblem'> = {
  read: readJsonBody,
  limitProblem: (body) => jsonLimitProblem(body),
}
const xmlBody: Pick<BodyTemplate, 'read' | 'limitProblem'> = {
  read: readXmlBody,
  limitProblem: (body) => xmlLimitProblem(utf8Text(body)),
}

function readJsonBody(body: Uint8Array): Map<string, unknown> | undefined {
  if (body.length === 0) return new Map()
  const read = readExactJson(body, changedByTemplates)
  if (read.problem !== undefined) return undefined
  if (Array.isArray(read.value)) return new Map([['array', read.value]])
  const data = new Map<string, unknown>()
  // Without an array for each member, as `Object.entries` makes.
  if (isMapping(read.value)) for (const name of Object.keys(read.value)) data.set(name, Reflect.get(read.value, name))
  return data
}

function readXmlBody(body: Uint8Array): Map<string, unknown> | undefined {
  if (body.length === 0) return new Map()
  const read = readXml(utf8Text(body))
  return read.problem === undefined ? read.value : undefined
}

/** The members of a body, with data of the caller: notes in the context when a template reads the latter. */
class CallerData extends Map<string, unknown> {
  private readonly own = new Map<string, unknown>()
  private readonly context: RequestContext

  constructor(body: ReadonlyMap<string, unknown>, context: RequestContext) {
    super()
    this.context = context
    for (const [name, value] of body) this.set(name, value)
  }

  add(name: string, value: unknown): void {
    this.own.set(name, value)
    this.set(name, value)
  }

  override get(name: string): unknown {
    if (this.own.has(name)) this.context.usedCallerData = true
    return super.get(name)
  }

  override entries(): MapIterator<[string, unknown]> {
    this.context.usedCallerData = true
    return super.entries()
  }

  override [Symbol.iterator](): MapIterator<[string, unknown]> {
    return this.entries()
  }
}

function withOwnData(
  body: Map<string, unknown>,
  context: RequestContext,
  compileContext: CompileContext,
  withSession: boolean,
): Map<string, unknown> {
  const { enableContextVars } = compileContext.api.document
  if (!withSession && !enableContextVars) return body
  const data = new CallerData(body, context)
  const vendor = compileContext.services.settings.vendor.toLowerCase()
  if (withSession) {
    // A copy: templates may set members, and the session is shared by all requests of the key.
    data.add(`_${vendor}_meta`, JSON.parse(JSON.stringify(context.key?.session.metaData ?? {})) as unknown)
  }
  if (enableContextVars) data.add(`_${vendor}_context`, variablesOf(context, compileContext).contextMap())
  return data
}

type Expand = (context: RequestContext, encode?: (value: string) => string) => (text: string) => string

/**
 * Expands variables in the text of the template only, never in the data, so that a client cannot obtain a secret by
 * naming it in a body. Returns `undefined` if the template has no variables.
 */
function makeExpand(source: string, compileContext: CompileContext): Expand | undefined {
  if (!source.includes('$')) return undefined
  const compiled = new Map<string, VariableText>()
  return (context, encode) => (text) => {
    if (!text.includes('$')) return text
    let made = compiled.get(text)
    if (made === undefined) {
      made = compileText(text, compileContext)
      compiled.set(text, made)
    }
    if (made.constant !== undefined) return made.constant
    context.usedCallerData = true
    return made.resolve(variablesOf(context, compileContext), encode)
  }
}
