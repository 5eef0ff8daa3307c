/** Checks the settings of GraphQL APIs. */

import { graphqlTools } from '../../lib/graphql/load-graphql.ts'
import { isOn, memberOf } from '../../lib/json.ts'
import { graphqlSettingsOf } from '../graphql-settings.ts'
import type { Lint } from './finding.ts'

export const graphqlLint: Lint = (document, report) => {
  const settings = graphqlSettingsOf(document.graphql)
  if (settings === undefined) return
  if (settings.form === undefined) {
    report('error', ['graphql', 'version'], 'must be "", "1", "2" or "3-preview"; the API rejects every request')
  }
  if (settings.mode === 'unsupported') {
    const message = `the mode "${settings.executionMode}" is not supported: the API rejects every request`
    report('error', ['graphql', 'execution_mode'], message, 'proxyOnly')
  }
  const { problem } = graphqlTools().buildSchemaFrom(settings.schema)
  if (problem !== undefined) {
    report('error', ['graphql', 'schema'], `is not a valid schema, so the API rejects every request: ${problem}`)
  }
  if (memberOf(document.graphql, 'introspection', 'disabled') === true) {
    const message = 'has no effect on requests; set disable_introspection in the access rights of keys and policies'
    report('warning', ['graphql', 'introspection', 'disabled'], message)
  }
  if (isOn(memberOf(document.graphql, 'subscription')) || memberOf(document.graphql, 'subscription', 'type')) {
    report('warning', ['graphql', 'subscription'], 'has no effect: WebSocket subscriptions are refused')
  }
  if (memberOf(document.graphql, 'proxy', 'auth_headers') !== undefined) {
    report('warning', ['graphql', 'proxy', 'auth_headers'], 'has no effect on requests; use request_headers')
  }
}
