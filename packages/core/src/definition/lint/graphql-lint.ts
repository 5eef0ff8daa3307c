/** Checks the settings of GraphQL APIs. */

import { graphqlTools } from '../../lib/graphql/load-graphql.ts'
import { graphqlSettingsOf } from '../graphql-settings.ts'
import type { Lint } from './lint.ts'

export const graphqlLint: Lint = (document, report) => {
  const settings = graphqlSettingsOf(document.graphql)
  if (settings === undefined) return
  if (settings.form === undefined) {
    report('graphql-version', ['graphql', 'version'])
  }
  if (settings.mode === 'unsupported') {
    report('graphql-mode', ['graphql', 'execution_mode'], { mode: settings.executionMode })
  }
  const { problem } = graphqlTools().buildSchemaFrom(settings.schema)
  if (problem !== undefined) {
    report('graphql-schema', ['graphql', 'schema'], { problem })
  }
}
