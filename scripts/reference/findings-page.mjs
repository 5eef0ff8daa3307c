// The page of all findings, from the table of core.
import { code, generatedNote, page, sentence, table } from './markdown.mjs'

const head = `# Findings

${generatedNote}

What \`turnpike check\`, the start, the management API (\`warnings\`) and \`turnpike import\` report. Each finding has an id, which stays the same: it stands in brackets at the end of a line, in \`id\` of the JSON output and in \`ruleId\` of SARIF. \`turnpike check --explain ID\` prints one row of this page, and \`--allow ID\` or the configuration key [\`check.allow\`](../turnpike-keys.md#allowed-findings) silences one.

- **error**: a file or a part of it cannot work. **warning**: it works, but probably not as intended. **note**: it works as intended and can be simpler.
- **stops the start**: an error of the configuration, with which the gateway does not start. Such a finding cannot be allowed.
- **counted**: a note about a field or file without use. \`check\` prints their number, and lists them with \`--all\`.
- \`strict\` in the configuration makes fields without effect errors.

In messages, words in angle brackets stand for values of the file.`

/** `rules`: the findings by their id. */
export function findingsPage(rules) {
  const entries = Object.entries(rules).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const pages = [...new Set(entries.map(([, rule]) => rule.page))].toSorted()
  return page(head, ...pages.flatMap((name) => sectionOf(name, entries)))
}

function sectionOf(name, entries) {
  const rows = entries
    .filter(([, rule]) => rule.page === name)
    .map(([id, rule]) => [
      `<a id="${id}"></a>${code(id)}`,
      severityOf(rule),
      meaningOf(rule),
      isPlaceholder(rule.fix) ? 'The message says it.' : sentence(escaped(rule.fix)),
    ])
  return [
    `## ${titleOf(name)}\n\nSee [${name.replace(/^reference\//, '')}](${linkTo(name)}).`,
    table(['Id', 'Severity', 'Message', 'What to do'], rows),
  ]
}

function severityOf({ severity, stopsStart, isQuiet }) {
  if (stopsStart) return `${severity}, stops the start`
  return isQuiet ? `${severity}, counted` : severity
}

function meaningOf({ text, about }) {
  if (about === undefined) return escaped(text)
  return isPlaceholder(text) ? about : `${escaped(text)}: ${about}`
}

/** The whole text is a value of the report. */
function isPlaceholder(text) {
  return /^<\w+>$/.test(text)
}

/** Markdown would take the placeholders for HTML, and braces for an expression of Vue. */
function escaped(text) {
  return text
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('{', '&#123;')
    .replaceAll('*', '\\*')
    .replaceAll('_', '\\_')
}

function titleOf(name) {
  const words = name.replace(/^.*\//, '').replace(/\.md$/, '').replaceAll('-', ' ')
  const names = {
    api: 'API',
    graphql: 'GraphQL',
    jwt: 'JWT',
    mcp: 'MCP',
    openapi: 'OpenAPI',
    openid: 'OpenID',
    http: 'HTTP',
    sso: 'SSO',
  }
  return sentence(words.replace(/\w+/g, (word) => names[word] ?? word)).slice(0, -1)
}

function linkTo(name) {
  return name.startsWith('reference/') ? `../${name.slice('reference/'.length)}` : `../../${name}`
}
