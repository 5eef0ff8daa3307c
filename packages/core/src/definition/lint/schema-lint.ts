/** Checks the rules for JSON bodies. The gateway rejects the requests of a rule with an invalid schema. */
import { isFinalStatus } from '../../http/final-status.ts'
import { compileJsonSchema } from '../../lib/json-schema/schema-texts.ts'
import { schemaOfRule } from '../rule-schema.ts'
import type { Lint } from './finding.ts'

export const schemaLint: Lint = (document, report) => {
  for (const [name, version] of Object.entries(document.versionData.versions ?? {})) {
    if (!version.useExtendedPaths) continue
    for (const [i, rule] of (version.extendedPaths.validateJson ?? []).entries()) {
      if (rule.disabled) continue
      const at = ['version_data', 'versions', name, 'extended_paths', 'validate_json', i]
      if (rule.errorResponseCode !== 0 && !isFinalStatus(rule.errorResponseCode)) {
        const fix = 'so 422 is used; write a status from 200 to 999'
        report(
          'error',
          [...at, 'error_response_code'],
          `${rule.errorResponseCode} is not a status of a response, ${fix}`,
        )
      }
      const { problem } = compileJsonSchema(schemaOfRule(rule))
      if (problem === undefined) continue
      const field = rule.schema === null && rule.schemaB64 !== '' ? 'schema_b64' : 'schema'
      report(
        'error',
        [...at, field],
        `is not a JSON schema, so the gateway rejects the requests of the rule with 500: ${problem}`,
      )
    }
  }
}
