/**
 * Replaces a request by a stored GraphQL operation of its path: `extended_paths.persist_graphql`
 * (docs/reference/graphql.md#stored-operations).
 */
import { removeHeader, setHeader } from '../../http/headers.ts'
import { isJson, memberOf, textOf } from '../../lib/json.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext, MakeStage } from '../contract/stage.ts'
import { makeRuleStage } from '../shared/match-path-rules.ts'
import { compileText, variablesOf } from '../shared/variable-values.ts'

/** Computes a value of `variables` for one request. */
type Fill = (context: RequestContext) => unknown

export const makeStoredOperation: MakeStage = (compileContext) => {
  const rules = compileContext.version.paths.persistGraphql.map((rule) => ({
    path: textOf(memberOf(rule, 'path')),
    method: textOf(memberOf(rule, 'method')),
    operation: textOf(memberOf(rule, 'operation')),
    variables: memberOf(rule, 'variables') ?? null,
  }))
  return makeRuleStage(
    rules,
    compileContext,
    ({ path, operation, variables }) => ({ operation, fill: compileValue(variables, path, compileContext) }),
    ({ operation, fill }, context) => {
      const { outgoing } = context
      outgoing.body = utf8Bytes(JSON.stringify({ query: operation, variables: fill(context) }))
      outgoing.method = 'POST'
      outgoing.path = '/'
      const headers = outgoing.ownHeaders()
      for (const name of ['content-length', 'content-md5', 'content-encoding']) removeHeader(headers, name)
      setHeader(headers, 'content-type', 'application/json')
      return undefined
    },
  )
}

function compileValue(value: unknown, path: string, compileContext: CompileContext): Fill {
  if (typeof value === 'string') return compileVariables(value, path, compileContext)
  if (Array.isArray(value)) {
    const items = value.map((item) => compileValue(item, path, compileContext))
    return (context) => items.map((fill) => fill(context))
  }
  if (!isJson(value)) return () => value
  const members = Object.entries(value).map(
    ([name, member]) => [name, compileValue(member, path, compileContext)] as const,
  )
  return (context) => Object.fromEntries(members.map(([name, fill]) => [name, fill(context)]))
}

/** A text with `$path.name` and the variables of header values. Inserted values are not scanned for variables. */
function compileVariables(text: string, path: string, compileContext: CompileContext): Fill {
  if (!text.includes('$')) return () => text
  // `split` with a group alternates between the text and the name that follows it.
  const pieces = text.split(/\$path\.(\w+)/).map((piece, i): ((context: RequestContext) => string) => {
    if (i % 2 === 1) return (context) => pathPart(path, piece, context)
    const compiled = compileText(piece, compileContext)
    return (context) => compiled.constant ?? compiled.resolve(variablesOf(context, compileContext))
  })
  return (context) => pieces.map((piece) => piece(context)).join('')
}

/** The segment of the request's path at the place where the rule's path has `{name}`; empty if there is none. */
function pathPart(rulePath: string, name: string, { path, pathWithVersion }: RequestContext): string {
  const wanted = segmentsOf(rulePath)
  const at = wanted.indexOf(`{${name}}`)
  if (at === -1) return ''
  const forms = [path, pathWithVersion].map(segmentsOf)
  const isAligned = (segments: readonly string[]) =>
    wanted.every((segment, i) => segment.includes('{') || segment === segments[i])
  return (forms.find(isAligned) ?? forms[0])?.[at] ?? ''
}

function segmentsOf(path: string): string[] {
  return path.replace(/^\//, '').split('/')
}
