/** The names of this folder that other packages import, as `@turnpike/core/definition`. */
export type { ApiDefinition, ApiVersion, Unsupported } from './api-definition.ts'
export { apiIdRule, isApiId, isSafeApiId } from './api-id.ts'
export { authModesOf } from './auth-modes/auth-modes.ts'
export { type ClassicDefinition, type CustomMiddleware, classicShape, customMiddlewareShape } from './classic.ts'
export {
  baseOf,
  checkVersionParams,
  listVersions,
  readVersionParams,
  type VersionsDocument,
  withoutVersion,
  withVersion,
} from './classic-versions.ts'
export type { DefinitionSource, PolicySource, SourceDocument, SourceSnapshot } from './definition-source.ts'
export { readErrorOverrides } from './error-override-rules.ts'
export { errorOverridesShape } from './error-overrides-shape.ts'
export { eventHandlersShape, webHookDocument } from './event-handlers-shape.ts'
export {
  type Finding,
  type FindingValues,
  fileFinding,
  makeNote,
  type Note,
  noteText,
  placeNote,
  type Report,
} from './findings/finding.ts'
export type { FindingRule } from './findings/finding-rule.ts'
export { type FindingId, findingRules, isFindingId } from './findings/finding-rules.ts'
export { foreignDocumentOf, hasDefinitionMember, isPolicyLike } from './foreign-document.ts'
export { isAddressOrRange } from './ip-text.ts'
export { lintEventHandlers, lintHook } from './lint/event-lint.ts'
export type { LintOptions } from './lint/lint.ts'
export { ineffectiveFindings, ineffectiveNote } from './lint/locate-ineffective-fields.ts'
export { lintMcpDocument } from './lint/mcp-document-lint.ts'
export { lintOpenApiDocument } from './lint/openapi-document-lint.ts'
export { syntaxFinding } from './lint/syntax-finding.ts'
export { lintDefinition } from './lint-definition.ts'
export { isForPrimitive, readMcpRules } from './mcp/document-rules.ts'
export { speaksMcp } from './mcp/primitive.ts'
export { readResourceUri } from './mcp/resource-uri.ts'
export { toMcpClassic } from './mcp/to-mcp-classic.ts'
export { validateMcpDocument } from './mcp/validate-mcp-document.ts'
export { documentSchemaFor } from './openapi/document-schema.ts'
export { extensionName, extensionOf, otherExtensionOf, withExtension } from './openapi/extension.ts'
export { fillExtension } from './openapi/fill-extension.ts'
export { ineffectiveInDocument } from './openapi/openapi-support.ts'
export { deref, operationsOf } from './openapi/operations.ts'
export { originOf } from './openapi/resource-metadata-document.ts'
export { hasAlternatives, requiredSchemes, securityGroups } from './openapi/security-groups.ts'
export { isSidecarName, pairSidecars, type SidecarKind, sidecarFileOf, sidecarNameOf } from './openapi/sidecar.ts'
export { toClassic } from './openapi/to-classic/to-classic.ts'
export {
  unusedMethods,
  validateDocument,
  validateExtension,
  validatePlainDocument,
} from './openapi/validate-document.ts'
export { parseDefinition, parseFirstJson, parseJson } from './parse-definition.ts'
export { isHelperLibrary } from './scripts/api-scripts.ts'
export { withScripts } from './scripts/load-scripts.ts'
export type { ScriptBundle, ScriptFiles } from './scripts/script-files.ts'
export { unsupportedInDefinition } from './support-status/definition-support.ts'
export { unsupportedInPolicies, unsupportedInSessions } from './support-status/session-support.ts'
export { strictProblemOf } from './support-status/strict-problem.ts'
export {
  findUnsupported,
  ignored,
  type SupportTable,
  type UnsupportedRows,
  unknownFields,
  unsupportedRows,
} from './support-status/support.ts'
export { parseTargetUrl, type TargetUrl } from './target-url.ts'
export { bodyTemplateProblem, bodyTemplatesOf, type ReadTemplate } from './template-files.ts'
export { validateDefinition } from './validate-definition.ts'
export {
  documentWithReferences,
  oasWithReferences,
  placeWithReferences,
  printDefinition,
  toWireDefinition,
} from './wire-definition.ts'
