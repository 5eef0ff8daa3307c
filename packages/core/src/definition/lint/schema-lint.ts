/** Checks the rules for JSON bodies. The gateway rejects the requests of a rule with an invalid schema. */
import { isFinalStatus } from '../../http/final-status.ts'
import { compileJsonSchema } from '../../lib/json-schema/schema-texts.ts'
import { schemaOfRule } from '../rule-schema.ts'
import type { Lint } from './lint.ts'

export const schemaLint: Lint = (document, report) => {
  for (const [name, version] of Object.entries(document.versionData.versions ?? {})) {
    if (!version.useExtendedPaths) continue
    for (const [i, rule] of (version.extendedPaths.validateJson ?? []).entries()) {
      if (rule.disabled) continue
      const at = ['version_data', 'versions', name, 'extended_paths', 'validate_json', i]
      if (rule.errorResponseCode !== 0 && !isFinalStatus(rule.errorResponseCode)) {
        report('invalid-error-status', [...at, 'error_response_code'], { status: rule.errorResponseCode })
      }
      const { problem } = compileJsonSchema(schemaOfRule(rule))
      if (problem === undefined) continue
      const field = rule.schema === null && rule.schemaB64 !== '' ? 'schema_b64' : 'schema'
      report('invalid-json-schema', [...at, field], { problem })
    }
  }
}
