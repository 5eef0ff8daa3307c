/** The GraphQL settings of an API with its schema, built once for all versions of the API and all stages. */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import { type GraphqlForm, type GraphqlSettings, graphqlSettingsOf } from '../../definition/graphql-settings.ts'
import { type Rejection, rejections } from '../../http/rejections.ts'
import type { QueryChecker } from '../../lib/graphql/checked-query.ts'
import { graphqlTools } from '../../lib/graphql/load-graphql.ts'

export interface CompiledGraphql {
  readonly settings: GraphqlSettings
  readonly form: GraphqlForm
  readonly checker: QueryChecker
  /** Set if the settings cannot be served: every request gets this rejection. */
  readonly unserved: { readonly rejection: Rejection; readonly reason: string } | undefined
}

const compiled = new WeakMap<ApiDefinition, CompiledGraphql | null>()

/** Returns null if the API is not a GraphQL API. For others `loadGraphql` must have finished. */
export function compileGraphql(api: ApiDefinition): CompiledGraphql | null {
  let made = compiled.get(api)
  if (made === undefined) {
    const settings = graphqlSettingsOf(api.document.graphql)
    made = settings === undefined ? null : compile(settings)
    compiled.set(api, made)
  }
  return made
}

function compile(settings: GraphqlSettings): CompiledGraphql {
  const { form = 'simple', mode, executionMode } = settings
  const { buildSchemaFrom, QueryChecker } = graphqlTools()
  const { schema, problem } = buildSchemaFrom(settings.schema)
  const checker = new QueryChecker(schema ?? (buildSchemaFrom('').schema as NonNullable<typeof schema>))
  const unservedBecause = (reason: string, rejection: Rejection = rejections.graphqlUnserved) => ({ rejection, reason })
  const unserved =
    settings.form === undefined
      ? unservedBecause('"graphql.version" is not known')
      : problem !== undefined
        ? unservedBecause(`"graphql.schema" is not valid: ${problem}`)
        : mode === 'unsupported'
          ? unservedBecause(
              `"graphql.execution_mode" "${executionMode}" is not supported`,
              unsupportedMode(executionMode, form),
            )
          : undefined
  return { settings, form, checker, unserved }
}

/** Clients know both spellings of the message. */
function unsupportedMode(executionMode: string, form: GraphqlForm): Rejection {
  return executionMode === 'supergraph' && form === 'engine' ? rejections.upstreamBroken : rejections.graphqlUnserved
}
