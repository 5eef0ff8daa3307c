#!/usr/bin/env node
// Generates docs/reference/support.md from the support tables. A test fails if the page is stale.
//
//   npx tsc -b && node scripts/support-page.mjs
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const head = `# Support status

This page is generated from the tables of the gateway (\`node scripts/support-page.mjs\`). \`turnpike check\`, the start and the management API read the same tables, and a test fails if a field is missing from its table.

- **partly**: the field works with the restriction that the reason names.
- **refused**: the feature would guard requests and cannot run, so the API or the path rejects them. \`check\` reports an error.
- **ignored**: the field is stored and returned and has no effect. \`check\` reports an error if it would change requests, otherwise a warning; for the configuration a note.
- **stored**: the field is stored and returned and no gateway acts on it. \`check\` notes it.

\`check\`, the start, the management API (\`warnings\`) and \`verify\` report fields that are refused, ignored, stored or unknown, with their path and with what to do instead. With the configuration key [\`strict\`](turnpike-keys.md#strict), an API with such a field is not loaded, unless no gateway acts on the field.

All other fields are supported.
`

const kinds = {
  definition: ['Definitions', 'Fields of [classic definitions](api-definition.md).'],
  extension: ['OpenAPI extension', 'Fields of the [extension](openapi-extension.md), each with its members.'],
  session: ['Keys', 'Fields of [sessions](sessions.md).'],
  policy: ['Policies', 'Fields of [policies](policies.md).'],
  config: ['Configuration', 'Keys of the [configuration](configuration.md).'],
}

/** The page for the tables, by kind. */
export function supportPage(tables) {
  const sections = Object.entries(kinds).map(([kind, [title, text]]) => {
    const entries = [...tables[kind]].filter(([, { status }]) => status !== 'supported')
    const rows = entries
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([path, { status, reason, instead }]) => {
        const whatToDo = status === 'partly' ? '' : instead
        return `| \`${path}\` | ${status} | ${reason} | ${whatToDo} |\n`
      })
    const table = `| Field | Status | Reason | What to do instead |\n|---|---|---|---|\n${rows.join('')}`
    return `## ${title}\n\n${text} ${tables[kind].size - rows.length} of them are supported; the others are:\n\n${table}`
  })
  return `${head}\n${sections.join('\n')}`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const core = '../packages/core/dist/definition/support'
  const [{ definitionSupport }, { extensionSupport }, keys, { configSupport }] = await Promise.all([
    import(`${core}/definition-support.js`),
    import(`${core}/openapi-support.js`),
    import(`${core}/session-support.js`),
    import('../packages/turnpike/dist/config/config-support.js'),
  ])
  const page = supportPage({
    definition: definitionSupport,
    extension: extensionSupport,
    session: keys.sessionSupport,
    policy: keys.policySupport,
    config: configSupport,
  })
  writeFileSync(new URL('../docs/reference/support.md', import.meta.url), page)
}
