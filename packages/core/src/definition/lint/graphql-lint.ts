/** Checks the settings of GraphQL APIs. */

import { graphqlTools } from '../../lib/graphql/load-graphql.ts'
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
}
