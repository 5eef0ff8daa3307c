/** The `graphql` object of a definition, with defaults. Source: docs/reference/graphql.md. */
import { isJson, isOn, listOf, memberOf, textOf } from '../lib/json.ts'

/** `simple`: requests pass unchanged. `engine`: the gateway writes the request and builds the response. */
export type GraphqlForm = 'simple' | 'engine'

/**
 * What the gateway does with requests. `null-fields`: an engine without data sources resolves each field to null.
 * `unsupported`: this build cannot run the mode, so every request is rejected.
 */
export type GraphqlMode = 'proxy' | 'null-fields' | 'unsupported'

export interface GraphqlSettings {
  /** `undefined`: the version is not known, so every request is rejected. */
  readonly form: GraphqlForm | undefined
  /** As written. */
  readonly version: string
  readonly mode: GraphqlMode
  /** As written. */
  readonly executionMode: string
  readonly schema: string
  /** Path of the playground below the listen path, without a slash at its end; `undefined`: there is none. */
  readonly playground: string | undefined
  /** Header names are in lower case. */
  readonly requestHeaders: readonly (readonly [name: string, value: string])[]
  readonly clientHeadersWin: boolean
  readonly rewrittenHeaders: readonly { readonly name: string; readonly value: string; readonly remove: boolean }[]
  readonly forwardsErrors: boolean
}

const forms: Readonly<Record<string, GraphqlForm>> = {
  '': 'simple',
  '1': 'simple',
  '2': 'engine',
  '3-preview': 'engine',
}

/** Returns true if compiling the definition needs the `graphql` package. */
export function needsGraphql({ document }: { readonly document: { readonly graphql: unknown } }): boolean {
  return isOn(document.graphql)
}

/** Reads the settings; `undefined`: the API is not a GraphQL API. */
export function graphqlSettingsOf(graphql: unknown): GraphqlSettings | undefined {
  if (!isOn(graphql)) return undefined
  const version = textOf(memberOf(graphql, 'version'))
  const proxy = memberOf(graphql, 'proxy')
  return {
    version,
    form: Object.hasOwn(forms, version) ? forms[version] : undefined,
    mode: modeOf(graphql),
    executionMode: textOf(memberOf(graphql, 'execution_mode')),
    schema: textOf(memberOf(graphql, 'schema')),
    playground: playgroundOf(memberOf(graphql, 'playground')),
    requestHeaders: entriesOf(memberOf(proxy, 'request_headers')).map(([name, value]) => [name, textOf(value)]),
    clientHeadersWin: memberOf(proxy, 'features', 'use_immutable_headers') === true,
    rewrittenHeaders: entriesOf(memberOf(proxy, 'request_headers_rewrite')).map(([name, rule]) => ({
      name,
      value: textOf(memberOf(rule, 'value')),
      remove: memberOf(rule, 'remove') === true,
    })),
    forwardsErrors: memberOf(proxy, 'use_response_extensions', 'on_error_forwarding') === true,
  }
}

function modeOf(graphql: unknown): GraphqlMode {
  switch (memberOf(graphql, 'execution_mode')) {
    case 'proxyOnly':
    case 'subgraph':
      return 'proxy'
    case 'executionEngine':
      return hasDataSources(graphql) ? 'unsupported' : 'null-fields'
    default:
      return 'unsupported'
  }
}

/** Returns true if fields are meant to be resolved by data sources, which this build does not call. */
function hasDataSources(graphql: unknown): boolean {
  const lists = [
    memberOf(graphql, 'engine', 'data_sources'),
    memberOf(graphql, 'engine', 'field_configs'),
    memberOf(graphql, 'type_field_configurations'),
  ]
  return lists.some((list) => listOf(list).length > 0)
}

function playgroundOf(playground: unknown): string | undefined {
  if (!isOn(playground)) return undefined
  const path = textOf(memberOf(playground, 'path')).replace(/^\/+|(?<!\/)\/+$/g, '')
  return path === '' ? '' : `/${path}`
}

function entriesOf(headers: unknown): [name: string, value: unknown][] {
  if (!isJson(headers)) return []
  return Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
}
