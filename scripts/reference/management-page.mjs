// The page of all calls of the management API, from the OpenAPI document that a gateway serves at /svc/docs/openapi.json.
import { code, generatedNote, page, sentence, table } from './markdown.mjs'

const head = `# Management calls

${generatedNote}

Every call of the management API with its parameters and responses. [Management API](../management-api.md) describes the key, status messages and when a change takes effect. Calls need the header \`X-Svc-Authorization\` unless they are marked as open. \`svc\` is the [vendor word](../README.md#vendor-word). With \`docs.enabled\` a gateway serves the same as a page at \`/svc/docs\`, and as an OpenAPI document at \`/svc/docs/openapi.json\`.`

/** What the groups of the document are, in the order of the page. */
const titles = {
  keys: ['Keys', 'See [key management](../key-management.md).'],
  organisations: ['Organisations', 'See [organisation sessions](../organisation-sessions.md).'],
  policies: ['Policies', 'See [policies](../policies.md).'],
  apis: ['API definitions', 'See [managing API definitions](../api-management.md).'],
  oas: ['OpenAPI documents', 'See [OpenAPI documents](../openapi-documents.md).'],
  mcps: ['MCP proxies', 'See [MCP proxies](../mcp-proxies.md).'],
  certs: ['Certificates', 'See [certificates](../certificates.md).'],
  oauth: ['OAuth clients and tokens', 'See [OAuth clients](../oauth-clients.md).'],
  cache: ['Caches', 'See [response cache](../response-cache.md).'],
  reload: ['Reloads', 'See [hot reload](../hot-reload.md).'],
  health: ['Health', 'See [health endpoints](../health.md).'],
  debug: ['Debugging', 'See [debugging and inspection](../inspection.md).'],
  docs: ['Documentation', ''],
}

/** Pages of the schemas that several calls share. */
const schemaLinks = {
  Session: '[session](../sessions.md)',
  Policy: '[policy](../policies.md)',
  ApiDefinition: '[API definition](../api-definition.md)',
  Done: '`{key, status, action}`',
  StatusMessage: '[status message](../management-api.md#status-messages)',
}

export function managementPage(document) {
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) => ({ ...call, path, method: method.toUpperCase() })),
  )
  const unknown = document.tags.map(({ name }) => name).filter((name) => titles[name] === undefined)
  if (unknown.length > 0)
    throw new Error(`scripts/reference/management-page.mjs has no title for: ${unknown.join(', ')}`)
  const sections = Object.entries(titles).flatMap(([tag, [title, text]]) => [
    `## ${title}`,
    text,
    ...calls.filter(({ tags }) => tags.includes(tag)).map(callSection),
  ])
  return page(head, ...sections)
}

function callSection(call) {
  const open = call.security !== undefined && call.security.length === 0 ? 'Open: needs no management key.' : ''
  const parameters = call.parameters
    .filter(({ in: place }) => place === 'query')
    .map(({ name, description = '' }) => [code(name), sentence(description)])
  const body = call.requestBody === undefined ? '' : bodyLine(call.requestBody)
  const responses = Object.entries(call.responses).map(([status, { description, content }]) => [
    status,
    sentence(description),
    contentText(content),
  ])
  return page(
    `### ${call.method} ${call.path}`,
    [sentence(call.summary), sentence(call.description), open].filter((text) => text !== '').join(' '),
    table(['Query parameter', 'Meaning'], parameters),
    body,
    table(['Status', 'Meaning', 'Body'], responses),
  )
}

function bodyLine({ description, content }) {
  return [`Body: ${contentText(content)}.`, sentence(description)].filter((text) => text !== '').join(' ')
}

function contentText(content) {
  const [[type, { schema }]] = Object.entries(content)
  return type === 'application/json' ? schemaText(schema) : code(type)
}

function schemaText(schema) {
  if (schema.$ref !== undefined) return schemaLinks[schema.$ref.split('/').at(-1)] ?? code(schema.$ref)
  if (schema.items !== undefined) return `list of ${schemaText(schema.items)}`
  if (schema.properties !== undefined) return code(`{${Object.keys(schema.properties).join(', ')}}`)
  return [schema.type ?? 'any value']
    .flat()
    .filter((type) => type !== 'null')
    .join(' or ')
}
