/** Checks the JSON schemas of bodies. The gateway rejects the requests of a rule with an invalid schema. */
import { compileJsonSchema } from '../../lib/json-schema/schema-texts.ts'
import { schemaOfRule } from '../rule-schema.ts'
import type { Lint } from './finding.ts'

export const schemaLint: Lint = (document, report) => {
  for (const [name, version] of Object.entries(document.versionData.versions ?? {})) {
    if (!version.useExtendedPaths) continue
    for (const [i, rule] of (version.extendedPaths.validateJson ?? []).entries()) {
      if (rule.disabled) continue
      const { problem } = compileJsonSchema(schemaOfRule(rule))
      if (problem === undefined) continue
      const field = rule.schema === null && rule.schemaB64 !== '' ? 'schema_b64' : 'schema'
      const path = ['version_data', 'versions', name, 'extended_paths', 'validate_json', i, field]
      report(
        'error',
        path,
        `is not a JSON schema, so the gateway rejects the requests of the rule with 500: ${problem}`,
      )
    }
  }
}
