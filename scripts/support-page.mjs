#!/usr/bin/env node
// Generates docs/reference/support.md from the support tables. A test fails if the page is stale.
//
//   node scripts/support-page.mjs
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { importSources } from './generate/sources.mjs'

const head = `# Support status

This page is generated from the shapes of the documents and the tables of exceptions (\`node scripts/support-page.mjs\`). \`turnpike check\`, the start and the management API read the same tables, and a test fails if a table names a field that does not exist.

- **partly**: the field works with the restriction that the reason names.
- **rejected**: the feature would guard requests and cannot run, so the API or the path rejects them. \`check\` reports an error.
- **ignored**: the field is stored and returned and has no effect. \`check\` reports an error if it would change requests, otherwise a warning; for the configuration a note. A value that says nothing, such as an empty list or what a dashboard writes by itself, is counted only.
- **stored**: the field is stored and returned and no gateway acts on it. \`check\` counts it, and lists it with \`--all\`.

\`check\`, the start, the management API (\`warnings\`) and \`verify\` report fields that are rejected, ignored, stored or unknown, with their path and with what to do instead. With the configuration key [\`strict\`](turnpike-keys.md#strict), an API with such a field is not loaded, unless no gateway acts on the field.

All other fields are supported.

## Example

\`\`\`json file=apps/stock.json
{
  "api_id": "stock",
  "name": "Stock",
  "org_id": "local",
  "active": true,
  "use_keyless": true,
  "slug": "stock",
  "analytics_plugin": { "enable": true },
  "version_data": { "not_versioned": true, "versions": { "Default": { "name": "Default" } } },
  "proxy": { "listen_path": "/stock/", "target_url": "http://127.0.0.1:9000" }
}
\`\`\`

\`\`\`sh run exit=1
npx turnpike check apps --all
\`\`\`

\`\`\`text output
apps/stock.json:8:23  warning  analytics_plugin: has no effect: analytics records are not changed by plugins… [field-without-effect]
apps/stock.json:7:11  note  slug: has no effect: it is only stored and returned (remove it) [stored-field]
\`\`\`
`

const kinds = {
  definition: ['Definitions', 'Fields of [classic definitions](api-definition.md).'],
  extension: [
    'OpenAPI extension',
    'Fields of the [extension](openapi-extension.md), each counted alone; a row may name a group of them.',
  ],
  session: ['Keys', 'Fields of [sessions](sessions.md).'],
  policy: ['Policies', 'Fields of [policies](policies.md).'],
  config: ['Configuration', 'Keys of the [configuration](configuration.md).'],
}

/** The page. `sources` are the modules of the shapes and tables. */
export function supportPage(sources) {
  const sections = Object.entries(kinds).map(([kind, [title, text]]) => {
    const { schema } = sources[`${kind === 'definition' ? 'classic' : kind}Shape`]
    const support = sources[`${kind}Support`]
    const supported = fieldsOf(schema).filter((path) => !isNamed(path, support))
    const rows = [...support]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([path, { status, reason, instead }]) => {
        const whatToDo = status === 'partly' ? '' : instead
        return `| \`${path}\` | ${status} | ${reason} | ${whatToDo} |\n`
      })
    const table = `| Field | Status | Reason | What to do instead |\n|---|---|---|---|\n${rows.join('')}`
    return `## ${title}\n\n${text} ${supported.length} of them are supported; the others are:\n\n${table}`
  })
  return `${head}\n${sections.join('\n')}`
}

/** The paths of the fields without members, as the tables write them. A map or list of plain values is one field. */
function fieldsOf({ properties, items, additionalProperties: entries }, path = '') {
  const within = (name) => (path === '' ? name : `${path}.${name}`)
  if (properties !== undefined) return Object.entries(properties).flatMap(([name, one]) => fieldsOf(one, within(name)))
  if (items?.properties !== undefined) return fieldsOf(items, path)
  return entries?.properties === undefined && entries?.items === undefined ? [path] : fieldsOf(entries, within('*'))
}

/** A row for a field includes its members. */
function isNamed(path, support) {
  return support.has(path) || [...support.keys()].some((row) => path.startsWith(`${row}.`))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const page = supportPage((await importSources()).sources)
  writeFileSync(new URL('../docs/reference/support.md', import.meta.url), page)
}
