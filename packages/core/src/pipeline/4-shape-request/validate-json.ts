/**
 * Rejects bodies that do not match the JSON Schema of a path rule, with up to 100 errors in one message
 * (docs/reference/transforms.md#json-validation). A body that is not JSON gets 400. `validate-request.ts` checks
 * requests against an OpenAPI document.
 */
import { schemaOfRule } from '../../definition/rule-schema.ts'
import { isFinalStatus } from '../../http/final-status.ts'
import type { HeaderPairs } from '../../http/headers.ts'
import { rejections, reword } from '../../http/rejections.ts'
import { formatSchemaProblem } from '../../lib/json-schema/schema-problem.ts'
import { compileJsonSchema, type Validate } from '../../lib/json-schema/schema-texts.ts'
import { type Maybe, when } from '../../lib/maybe.ts'
import { readUnambiguousJson } from '../../lib/text/unambiguous-json.ts'
import type { CompileContext, MakeStage, Outcome } from '../contract/stage.ts'
import { type BrokenRule, brokenRule, makeRuleStage } from '../shared/match-path-rules.ts'
import { withRequestBody } from '../shared/request-body.ts'

type Rule = CompileContext['version']['paths']['validateJson'][number]

interface BodySchema {
  readonly validate: Validate
  readonly status: number
}

export const makeValidateJson: MakeStage = (compileContext) =>
  makeRuleStage(
    compileContext.version.paths.validateJson,
    compileContext,
    (rule) => compileRule(rule, compileContext),
    (schema, context) =>
      withRequestBody(context, compileContext.services, (body) => judge(context.request.headers, body, schema)),
    { coversHead: true },
  )

function judge(headers: HeaderPairs, body: Uint8Array, { validate, status }: BodySchema): Maybe<Outcome> {
  const read = readUnambiguousJson(headers, body)
  if (read.problem !== undefined) {
    return reword(rejections.bodyNotJson, { message: `JSON parsing error: ${read.problem}` })
  }
  return when(validate(read.value), (problems) => {
    if (problems.length === 0) return undefined
    return reword(rejections.bodyInvalid, { status, message: problems.map(formatSchemaProblem).join('; ') })
  })
}

function compileRule(rule: Rule, compileContext: CompileContext): BodySchema | BrokenRule {
  const compiled = compileJsonSchema(schemaOfRule(rule), { rejectsLookalikes: true })
  if (compiled.problem !== undefined)
    return brokenRule(rule, `the JSON schema is invalid: ${compiled.problem}`, compileContext)
  return {
    validate: compiled.validate,
    status: isFinalStatus(rule.errorResponseCode) ? rule.errorResponseCode : rejections.bodyInvalid.status,
  }
}
