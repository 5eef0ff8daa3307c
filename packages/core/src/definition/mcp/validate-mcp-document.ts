/**
 * Validates documents of MCP proxies for the management API.
 * Source: docs/reference/mcp-proxies.md#mcp-document-checks.
 */

import { type Json, textOf } from '../../lib/json.ts'
import { formatSchemaProblem, type SchemaProblem } from '../../lib/json-schema/schema-problem.ts'
import { extensionName } from '../openapi/extension.ts'
import { resourceMetadataOf } from '../openapi/resource-metadata-document.ts'
import { brokenRule, makeValidatorFor, unusedMethods } from '../openapi/validate-document.ts'
import { mcpSchemaFor } from './mcp-schema.ts'

const validatorFor = makeValidatorFor(mcpSchemaFor)

/** The message of the first check that fails; `undefined`: the document may be stored. */
export async function validateMcpDocument(document: Json, vendor: string): Promise<string | undefined> {
  const key = extensionName(vendor)
  if (!Object.hasOwn(document, key)) return `the payload should contain ${key}`
  const { problem, problems } = await schemaProblems(document, vendor)
  if (problem !== undefined) return problem
  if (problems.length > 0) return problems.map(formatSchemaProblem).join('\n')
  return brokenRule(document) ?? incompleteMetadata(document, vendor) ?? unusedMethods(document, vendor)
}

/** Metadata need both members, or neither if they come from the upstream. */
function incompleteMetadata(document: Json, vendor: string): string | undefined {
  const { own } = resourceMetadataOf(document, vendor, true) ?? {}
  if (own === undefined) return undefined
  if (own.resource === '') return 'protectedResourceMetadata.resource is required when enabled'
  if (own.servers.length > 0) return undefined
  return 'protectedResourceMetadata.authorizationServers must have at least one entry for MCP APIs'
}

/** Schema errors of the document; `problem`: there is no schema for its version. */
export async function schemaProblems(
  document: Json,
  vendor: string,
): Promise<{ readonly problem: string | undefined; readonly problems: readonly SchemaProblem[] }> {
  // A document without a version is checked against the oldest schema, which reports that the version is missing.
  const found = validatorFor(textOf(document['openapi']), extensionName(vendor))
  if (found.problem !== undefined) return { problem: found.problem, problems: [] }
  return { problem: undefined, problems: await found.validate(document) }
}
