/**
 * The documentation page as a single response without external resources. The server renders it, so it can be read,
 * searched and printed without scripts; the script only serves "try it".
 */
import type { JsonSchema } from '@turnpike/core/lib'
import type { OpenApiDocument, OpenApiOperation } from './openapi.ts'
import { pageScript } from './page-script.ts'
import { pageStyle } from './page-style.ts'

interface Listed {
  readonly method: string
  readonly path: string
  readonly operation: OpenApiOperation
}

export function makePage(document: OpenApiDocument, keyHeader: string): string {
  const listed = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Listed => ({ method: method.toUpperCase(), path, operation })),
  )
  const documentPath = listed.find(({ operation }) => operation.operationId === 'getOpenApi')?.path ?? ''
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${document.info.title}</title>
<style>${trusted(pageStyle)}</style>
</head>
<body>
<h1>${document.info.title} <small>${document.info.version}</small></h1>
<p>${document.info.description} For programs: <a href="${documentPath}">${documentPath}</a>.</p>
<div class="key"><label><span>Management key</span>
<input id="key" type="password" autocomplete="off" data-header="${keyHeader}" placeholder="only for &ldquo;Try it&rdquo;; stays in this page">
</label></div>
${document.tags.map(({ name }) => section(name, listed))}
<h2 id="schemas">Schemas</h2>
${Object.entries(document.components.schemas).map(([name, schema]) => schemaBlock(name, schema))}
<script>${trusted(pageScript)}</script>
</body>
</html>
`
  return markup
}

function section(tag: string, listed: readonly Listed[]): Markup {
  return html`<h2>${tag}</h2>
${listed.filter(({ operation }) => operation.tags.includes(tag)).map(operationBlock)}`
}

function operationBlock({ method, path, operation }: Listed): Markup {
  const { operationId, summary, description, parameters, requestBody, responses } = operation
  const bodySchema = requestBody?.content['application/json']?.schema
  return html`<details id="${operationId}">
<summary><span class="method">${method}</span><code>${path}</code> ${summary}</summary>
${description === undefined ? undefined : html`<p>${description}</p>`}
<table><tbody>${Object.entries(responses).map(
    ([status, { description: note }]) => html`<tr><td><code>${status}</code></td><td>${note}</td></tr>`,
  )}</tbody></table>
<form data-method="${method}" data-path="${path}">
${parameters.map(
  (parameter) => html`<label><span>${parameter.name}</span>
<input name="${parameter.name}" data-in="${parameter.in}" placeholder="${parameter.description ?? 'required'}"></label>`,
)}
${
  requestBody === undefined
    ? undefined
    : html`<label>${requestBody.description ?? 'Body'}: ${schemaLink(bodySchema)}
<textarea name="body" spellcheck="false">{}</textarea></label>`
}
<button>Try it</button>
<output><pre></pre></output>
</form>
</details>
`
}

function schemaLink(schema: object | undefined): Markup {
  if (schema === undefined) return html``
  if (!('$ref' in schema)) return html`<code>${JSON.stringify(schema)}</code>`
  const name = String(schema.$ref).slice('#/components/schemas/'.length)
  return html`<a href="#schema-${name}">${name}</a>`
}

function schemaBlock(name: string, schema: JsonSchema): Markup {
  return html`<details id="schema-${name}"><summary><code>${name}</code></summary><pre>${outline(schema).join('\n')}</pre></details>
`
}

/** One line per field, indented by nesting: `rate: number`. The document has the meanings, which would double the page. */
function outline(schema: JsonSchema, indent = ''): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    `${indent}${name}: ${typeOf(field)}`,
    ...outline(contentOf(field), `${indent}  `),
  ])
}

function typeOf({ type, items, additionalProperties, enum: words }: JsonSchema): string {
  if (words !== undefined) return words.map((word) => JSON.stringify(word)).join(' | ')
  const named = typeof type === 'string' ? type : (type?.join(' | ') ?? 'anything')
  const inner = items ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined)
  return inner === undefined ? named : `${named} of ${typeOf(inner)}`
}

/** The type of a field, or of the entries of its list or map. */
function contentOf(field: JsonSchema): JsonSchema {
  if (field.items !== undefined) return field.items
  return typeof field.additionalProperties === 'object' ? field.additionalProperties : field
}

/** HTML from template literals; inserted values are escaped unless they are HTML themselves. */
interface Markup {
  readonly markup: string
}

type Part = string | number | Markup | readonly Markup[] | undefined

/** `html\`<b>${text}</b>\``: an inserted text cannot become a tag. */
function html(texts: TemplateStringsArray, ...parts: Part[]): Markup {
  return { markup: texts.reduce((done, text, i) => done + render(parts[i - 1]) + text) }
}

/** Trusted text: our own style or script. */
function trusted(markup: string): Markup {
  return { markup }
}

function render(part: Part): string {
  if (part === undefined) return ''
  if (typeof part === 'string' || typeof part === 'number') return escapeText(String(part))
  return 'markup' in part ? part.markup : part.map((each) => each.markup).join('')
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
