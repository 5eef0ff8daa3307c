// The sidebar of the site. Every page below docs/ is in it; a test (scripts/docs/sidebar.test.ts) fails if one is missing.
// A page is named by its path below docs/ without `.md`; its title is its first heading. Decisions are listed by themselves.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const docsFolder = join(dirname(fileURLToPath(import.meta.url)), '..')

/** Pages by group. A group that begins with `-` is collapsed. */
const groups = {
  Guides: [
    'guides/quick-start',
    'guides/local-gateway',
    'verification',
    'guides/verification',
    'guides/judge',
    'guides/benchmarks',
    'guides/migration',
    'guides/several-nodes',
    'guides/security',
    'extending',
    'deployment',
  ],
  Features: ['dashboard', 'mcp', 'oauth', 'ports', 'metrics', 'cluster-sim'],
  Reference: [
    'reference/README',
    'reference/generated/configuration',
    'reference/generated/fields',
    'reference/support',
    'reference/schemas',
    'reference/generated/command-line',
    'reference/generated/findings',
    'reference/generated/management-calls',
    'errors',
    'reference/generated/metrics',
    'reference/generated/events',
    'differences',
    'security',
    'redis',
    'terms',
  ],
  '-APIs and definitions': [
    'reference/management-api',
    'reference/api-management',
    'reference/api-definition',
    'reference/import-formats',
    'reference/versions',
    'reference/openapi-documents',
    'reference/openapi-extension',
    'reference/openapi-validation',
    'reference/openapi-mocks',
    'reference/openapi-authentication',
    'reference/mcp-proxies',
    'reference/graphql',
    'reference/hot-reload',
    'reference/unsupported-features',
  ],
  '-Requests': [
    'reference/http-server',
    'reference/workers',
    'reference/request-pipeline',
    'reference/routing',
    'reference/transforms',
    'reference/template-functions',
    'reference/response-cache',
    'reference/batch',
    'reference/upstreams',
    'reference/service-discovery',
    'reference/upstream-authentication',
    'reference/request-signing',
    'reference/error-responses',
    'reference/scripts',
  ],
  '-Authentication': [
    'reference/authentication',
    'reference/jwt',
    'reference/oauth-endpoints',
    'reference/oauth-clients',
    'reference/external-oauth',
    'reference/openid-connect',
    'reference/certificates',
    'reference/secrets',
  ],
  '-Keys and limits': [
    'reference/sessions',
    'reference/key-management',
    'reference/organisation-sessions',
    'reference/policies',
    'reference/quotas',
    'reference/rate-limits',
    'reference/request-checks',
  ],
  '-Operation': [
    'reference/configuration',
    'reference/turnpike-keys',
    'reference/startup',
    'reference/health',
    'reference/logs',
    'reference/access-log-examples',
    'reference/opentelemetry',
    'reference/analytics',
    'reference/events',
    'reference/dashboard-sso',
    'reference/inspection',
    'reference/redis-layout',
    'reference/redis-counters',
    'reference/redis-records',
    'reference/cluster-messages',
  ],
  '-Internals': [
    'architecture',
    'request-path',
    'performance',
    'comparison',
    'batch-latency',
    'capacity',
    'profiling',
    'soak',
    'soak-results',
    'reference/properties',
    'linearizability',
    'verification-stores',
    'verification-mutants',
    'verification-store-mutants',
  ],
}

/** The sidebar in the form of VitePress. `library` are the pages that TypeDoc generated, by their titles. */
export function sidebar(library = []) {
  const entries = Object.entries(groups).map(([title, pages]) => group(title, pages.map(entryOf)))
  const decisions = group('-Decisions', pagesOf('decisions').map(entryOf))
  return [...entries.slice(0, 3), group('-Library', library), ...entries.slice(3), decisions].filter(
    ({ items }) => items.length > 0,
  )
}

/** Paths of all pages below docs/, without `.md`. Generated pages of the library and the home page are not among them. */
export function allPages() {
  const isPage = (name) => name.endsWith('.md') && !/(^|\/)(node_modules|library|\.vitepress)\//.test(name)
  const names = readdirSync(docsFolder, { recursive: true }).map((name) => name.replaceAll('\\', '/'))
  return names.filter((name) => isPage(name) && name !== 'index.md').map((name) => name.slice(0, -3))
}

/** The address of a page on the site. A README is the index of its folder. */
export function linkOf(page) {
  return `/${page.replace(/(^|\/)README$/, '$1')}`
}

function pagesOf(folder) {
  return allPages()
    .filter((page) => page.startsWith(`${folder}/`))
    .sort((a, b) => (a.endsWith('README') ? -1 : b.endsWith('README') ? 1 : a < b ? -1 : 1))
}

function group(title, items) {
  return title.startsWith('-') ? { text: title.slice(1), collapsed: true, items } : { text: title, items }
}

function entryOf(page) {
  return { text: titleOf(page), link: linkOf(page) }
}

function titleOf(page) {
  const title = /^# (.+)$/m.exec(readFileSync(join(docsFolder, `${page}.md`), 'utf8'))?.[1]
  if (title === undefined) throw new Error(`docs/${page}.md has no heading of the first level`)
  return title.replaceAll('`', '')
}
