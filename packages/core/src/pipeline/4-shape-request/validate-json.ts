/**
 * Refuses bodies that do not follow the JSON schema of their path, with everything that is wrong in one message.
 * Source: spec/apis-and-pipeline.md 4.6.
 */
import { schemaOfRule } from '../../definition/rule-schema.ts'
import { rejections, reword } from '../../http/errors.ts'
import { compileSchema, type Validate } from '../../lib/json-schema/compile-schema.ts'
import { formatSchemaProblem } from '../../lib/json-schema/schema-problem.ts'
import { readJson } from '../../lib/text/read-json.ts'
import type { MakeStage, Outcome, Scope } from '../contract/stage.ts'
import { compilePathRules } from '../shared/match-path-rules.ts'
import { withRequestBody } from '../shared/request-body.ts'

type Rule = Scope['version']['paths']['validateJson'][number]

interface BodySchema {
  readonly validate: Validate
  readonly status: number
}

export const makeValidateJson: MakeStage = (scope) => {
  const find = compilePathRules(scope.version.paths.validateJson, scope, (rule) => compileRule(rule, scope))
  if (find === null) return null
  return {
    name: 'validate-json',
    phase: '4-shape-request',
    run(context) {
      const schema = find(context)
      if (schema === undefined) return undefined
      return withRequestBody(context, scope.tools, (body) => judge(body, schema))
    },
  }
}

function judge(body: Uint8Array, { validate, status }: BodySchema): Outcome {
  const read = readJson(body)
  if (read.problem !== undefined) {
    return reword(rejections.bodyNotJson, { message: `JSON parsing error: ${read.problem}` })
  }
  const problems = validate(read.value)
  if (problems.length === 0) return undefined
  return reword(rejections.bodyInvalid, { status, message: problems.map(formatSchemaProblem).join('; ') })
}

/** A schema that is none is left out with a warning, like other rules that cannot be compiled. */
function compileRule(rule: Rule, { tools, api }: Scope): BodySchema | undefined {
  const compiled = compileSchema(schemaOfRule(rule))
  if (compiled.problem !== undefined) {
    tools.log.warn('a JSON schema is left out', { api: api.id, path: rule.path, reason: compiled.problem })
    return undefined
  }
  return { validate: compiled.validate, status: rule.errorResponseCode || 422 }
}
