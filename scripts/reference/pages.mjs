// All pages of docs/reference/generated. scripts/reference-pages.mjs writes them, its test compares them.
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { commandPage } from './command-page.mjs'
import { eventsPage } from './events-page.mjs'
import { configPage, fieldsPage } from './fields-page.mjs'
import { findingsPage } from './findings-page.mjs'
import { managementPage } from './management-page.mjs'
import { metricsPage } from './metrics-page.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
export const generatedFolder = join(root, 'docs', 'reference', 'generated')

/**
 * The pages by file name. `importFile` imports a module by its path below `packages/`, from sources or from the build:
 * `core/src/definition/event-names`.
 */
export async function referencePages(importFile) {
  return {
    'command-line.md': await commandPage(await helpOf(importFile)),
    'configuration.md': configPage(await configSources(importFile)),
    'events.md': eventsPage(...(await eventSources(importFile))),
    'fields.md': fieldsPage(await documentSources(importFile)),
    'findings.md': findingsPage((await importFile('core/src/definition/findings/finding-rules')).findingRules),
    'management-calls.md': managementPage((await importFile('mgmt-api/src/whole-document')).wholeDocument()),
    'metrics.md': metricsPage(...(await metricSources(importFile))),
  }
}

async function helpOf(importFile) {
  const turnpike = await importFile('turnpike/src/cli/main')
  const dev = await importFile('dev/src/main')
  const judge = await importFile('judge/src/main')
  const { devCommands } = await importFile('turnpike/src/cli/dev-commands')
  const { makeTestIo } = await importFile('turnpike/src/cli/test-io')
  return async (words) => {
    const io = makeTestIo({ cwd: root })
    const separate = words[0] === 'judge' ? judge : dev
    const { main } = words[0] in devCommands ? separate : turnpike
    await main([...words, '--help'], io)
    return io.printed.join('\n')
  }
}

async function configSources(importFile) {
  const { configShape } = await importFile('turnpike/src/config/config-shape')
  const { configSupport } = await importFile('turnpike/src/config/config-support')
  const { knownVariables } = await importFile('turnpike/src/config/environment')
  const variables = [...knownVariables()].map(([name, { path }]) => [path.join('.'), `SVC_GW_${name}`])
  return {
    schema: configShape.schema,
    support: configSupport,
    defaults: configShape.write(configShape.zero()),
    variables: new Map(variables),
  }
}

async function documentSources(importFile) {
  const { classicShape } = await importFile('core/src/definition/classic')
  const { sessionShape } = await importFile('core/src/ports/session')
  const { policyShape } = await importFile('core/src/session/policies/policy')
  const { extensionShape } = await importFile('core/src/definition/openapi/extension-shape/extension-shape')
  const support = 'core/src/definition/support-status'
  const { definitionSupport } = await importFile(`${support}/definition-support`)
  const { extensionSupport } = await importFile('core/src/definition/openapi/openapi-support')
  const { sessionSupport, policySupport } = await importFile(`${support}/session-support`)
  return [
    {
      title: 'Definitions',
      text: 'See [API definition](../api-definition.md).',
      schema: classicShape.schema,
      support: definitionSupport,
    },
    {
      title: 'OpenAPI extension',
      text: 'See [OpenAPI extension](../openapi-extension.md).',
      schema: extensionShape.schema,
      support: extensionSupport,
    },
    {
      title: 'Keys',
      text: 'See [sessions](../sessions.md).',
      schema: sessionShape.schema,
      support: sessionSupport,
    },
    {
      title: 'Policies',
      text: 'See [policies](../policies.md).',
      schema: policyShape.schema,
      support: policySupport,
    },
  ]
}

async function eventSources(importFile) {
  const { defaultBody } = await importFile('core/src/observability/events/default-body')
  return [await importFile('core/src/definition/event-names'), defaultBody]
}

async function metricSources(importFile) {
  const { makePromMetrics } = await importFile('adapters/src/metrics-prom/metrics-prom')
  const { Registry } = createRequire(join(root, 'packages/adapters/package.json'))('prom-client')
  return [() => makePromMetrics({ processMetrics: false }), Registry]
}
