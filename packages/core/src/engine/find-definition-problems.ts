/** What `turnpike check` reports about a definition that the management API is about to write. */
import { classicShape } from '../definition/classic.ts'
import { makeNote, type Note, noteText, type Report } from '../definition/findings/finding.ts'
import { needsGraphql } from '../definition/graphql-settings.ts'
import type { LintOptions } from '../definition/lint/lint.ts'
import { lintExtension } from '../definition/lint/mcp-document-lint.ts'
import { lintValidDocument } from '../definition/lint/openapi-document-lint.ts'
import { lintSecrets, lintSettings } from '../definition/lint-definition.ts'
import { normaliseDefinition } from '../definition/normalise.ts'
import { extensionName, extensionOf } from '../definition/openapi/extension.ts'
import { namesBundle } from '../definition/scripts/api-scripts.ts'
import { withScripts } from '../definition/scripts/load-scripts.ts'
import { bodyTemplateProblem, bodyTemplatesOf } from '../definition/template-files.ts'
import { loadGraphql } from '../lib/graphql/load-graphql.ts'
import { type Json, objectOf } from '../lib/json.ts'
import { collectingLookup } from '../lib/secret-lookup.ts'
import { printJsonPath } from '../lib/shape/json-path.ts'
import { readShape } from '../lib/shape/shape.ts'
import { makeHiddenTexts } from '../pipeline/contract/stage-trace.ts'
import type { GatewaySettings } from '../ports/settings.ts'
import type { Services } from './create-services.ts'
import type { EngineOptions } from './engine-options.ts'

export interface WrittenDefinition {
  /** JSON text of the definition in classic notation. */
  readonly text: string
  /** The valid document from which the definition was derived. */
  readonly document?: Json
}

/**
 * Resolves with the errors and warnings of a readable definition, each a text that begins with the path of its field.
 * Fields without effect are not among them, because the text has only known fields. Values of secrets are hidden.
 */
export type FindDefinitionProblems = (written: WrittenDefinition) => Promise<readonly string[]>

export function makeFindDefinitionProblems(
  { secret = () => undefined, readTemplate = () => undefined, scriptFiles }: EngineOptions,
  services: Services,
): FindDefinitionProblems {
  return async ({ text, document }) => {
    const { settings, clock } = services
    const secrets = new Set<string>()
    const found: string[] = []
    const report: Report = (id, path, ...values) => {
      const note = makeNote(id, path, ...values)
      if (note.severity !== 'note') found.push(textOf(note))
    }
    const resolved = lintSecrets(JSON.parse(text) as object, collectingLookup(secret, secrets), report)
    const { value: definition } = readShape(classicShape, resolved)
    if (needsGraphql({ document: definition })) await loadGraphql()
    lintSettings(definition, report, lintOptionsOf(settings, clock.now()))
    for (const template of bodyTemplatesOf(definition)) {
      const problem = bodyTemplateProblem(template, readTemplate)
      if (problem !== undefined) report('invalid-template', template.path, { problem })
    }
    // A bundle may have to be downloaded, which the reload does.
    if (settings.scripts?.enabled === true && !namesBundle(definition)) {
      const api = normaliseDefinition(definition, { source: '', hash: '' })
      const made = await withScripts(api, settings.scripts, scriptFiles)
      const unread = 'definition' in made ? (made.definition.scripts?.unread ?? []) : []
      for (const { source, message } of unread)
        report('invalid-script', ['custom_middleware'], { source, problem: message })
    }
    if (document !== undefined) lintDocument(document, definition.applicationProtocol, settings.vendor, report)
    const hidden = makeHiddenTexts()
    for (const one of secrets) hidden.hide(one)
    return found.map(hidden.shown)
  }
}

function textOf(note: Note): string {
  const { id, path } = note
  const place = path.length === 0 ? 'the definition' : printJsonPath(path)
  return `${place} ${noteText(note)} [${id}]`
}

function lintDocument(document: Json, protocol: string, vendor: string, report: Report): void {
  if (protocol === 'mcp') lintExtension(objectOf(extensionOf(document, vendor)), extensionName(vendor), report)
  else lintValidDocument(document, vendor, report)
}

function lintOptionsOf(settings: GatewaySettings, now: number): LintOptions {
  const { vendor, customDomains, honourActive, ports, undeclaredResponseProcessors, routing, scripts } = settings
  const { enabled = false, allowsBlobs = false } = scripts ?? {}
  return {
    ...{ now, vendor, customDomains, honourActive, undeclaredResponseProcessors },
    ...(ports === undefined ? {} : { ports }),
    clientAddresses: routing.xffDepth > 0 || routing.trustsPeer !== undefined ? 'trusted' : 'any',
    scripts: { enabled, bundles: true, allowsBlobs },
  }
}
