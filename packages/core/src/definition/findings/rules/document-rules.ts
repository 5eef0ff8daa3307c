/** Findings about OpenAPI documents and documents of MCP proxies. */
import { rulesOf } from '../finding-rule.ts'

const extension = rulesOf('reference/openapi-extension.md')
const documents = rulesOf('reference/openapi-documents.md')
const auth = rulesOf('reference/openapi-authentication.md')
const validation = rulesOf('reference/openapi-validation.md')
const mcp = rulesOf('reference/mcp-proxies.md')

export const documentRules = {
  'document-rejected-by-management-api': documents.warning(
    'is served, but the management API would reject it: <problem>',
  ),
  'external-reference': documents.warning(
    'refers to <reference>, which is in another document and is not read',
    'turnpike import writes one document from several files',
  ),
  'document-differs': documents.warning(
    'says other things than <file>, which is what is served (<names>)',
    'change it by PUT /<vendor>/<resource>/{id}, which writes both files',
  ),
  'unknown-operation': extension.warning('has no effect: no operation of the document has this operationId'),
  'key-place-ignored': auth.warning(
    'has no effect: components.securitySchemes says that the key is in the <place> <name>',
    'remove it, or correct the scheme',
  ),
  'jwt-without-bearer-format': auth.note(
    'needs a JWT although the scheme has no bearerFormat "JWT"; the original gateway needs a key',
    'write bearerFormat',
  ),
  'unused-auth-method': auth.warning(
    '<problem>',
    'add the method to a list of server.authentication.security',
    'A method is enabled that no request needs.',
  ),
  'auth-group-without-method': auth.warning(
    'the scheme "<name>" has no configured method, so its groups reject every request with 500',
    'enable it in server.authentication.securitySchemes and in <file>',
  ),
  'auth-groups-not-served': auth.warning(
    'has no effect: <file> has no security_requirements with several groups, so callers need all methods',
    'save the document with PUT /svc/apis/oas/{id}, which writes both files',
  ),

  'missing-reference': validation.warning(
    'refers to <reference>, which is not in the document, so requests are rejected',
    'define it there',
  ),
  'ignored-header-parameter': validation.warning(
    'is checked as a header parameter, although OpenAPI ignores parameters named <name>',
    'remove it',
  ),
  'parameter-without-schema': validation.note('the parameter <name> has no schema, so its value is not checked'),
  'body-without-schema': validation.note('has no schema, so values of the type <type> are not checked'),
  'unreadable-body': validation.warning(
    'values of the type <type> are rejected, because the gateway cannot read them',
    'the schema {"type":"string"} accepts them unread',
  ),
  'part-headers-unchecked': validation.note('headers of the parts of a body are not checked', 'remove them'),
  'keywords-beside-reference': validation.warning('<names> has no effect beside $ref in OpenAPI 3.0', 'use allOf'),
  'unchecked-keyword': validation.warning('the keyword <name> is not checked', 'check it in the upstream'),
  'unchecked-format': validation.note('the format "<format>" is not checked; a pattern is'),
  'invalid-value-pattern': validation.warning('<pattern> is not valid, so values are rejected: <problem>'),
  'discriminator-without-effect': validation.warning(
    'selects no schema: it needs a propertyName, and oneOf, anyOf, or schemas whose allOf refers to this one',
  ),

  'extension-missing': mcp.error('must contain the object <name>'),
  'invalid-mcp-document': mcp.error('<problem>', '', 'The management API would reject the document.'),
  'mcp-member-without-effect': mcp.warning('has no effect on <what>', 'remove it'),
  'mcp-rules-without-effect': mcp.warning(
    'has rules without effect, because the document lacks them: <names>',
    'put them into mcpTools, mcpResources or mcpPrompts of the document',
  ),
}
