/**
 * Layouts and templates of error responses from `template_path`: files whose names begin with `error`. `error_403.json` is
 * a layout for one status and `error.json` the layout for all, the same for XML; rules of `error_overrides` name others.
 * They are read once, at the start; without a file, the built-in layout applies.
 * Source: docs/reference/error-responses.md#error-layout.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseTextTemplate, type TextTemplate } from '@turnpike/core/lib'
import { type ErrorFormat, type ErrorTemplates, escapeFor, type RenderText } from '@turnpike/core/pipeline'
import type { Log } from '@turnpike/core/ports'
import type { GatewayConfig } from '../config/config-shape.ts'

export function wireErrorTemplates({ templatePath }: Pick<GatewayConfig, 'templatePath'>, log: Log): ErrorTemplates {
  const templates = readTemplates(templatePath, log)
  const find = (names: readonly string[], format: ErrorFormat): RenderText | undefined => {
    const template = names.map((name) => templates.get(name)).find((found) => found !== undefined)
    return template && renderer(template, format, log)
  }
  return {
    layout(status, format) {
      const common = `error.${format}`
      return find(status === undefined ? [common] : [`error_${status}.${format}`, common], format)
    },
    named: (name, format) => find([`${name}.${format}`, name], format),
  }
}

function renderer(template: TextTemplate, format: ErrorFormat, log: Log): RenderText {
  return ({ message, status, invalidParams = '' }) => {
    const rendered = template.render(
      {
        Message: escapeFor(format, message),
        StatusCode: status,
        InvalidParams: escapeFor(format, invalidParams),
      },
      { noValue: '' },
    )
    if (rendered.problem === undefined) return rendered.text
    log.error('an error template failed', { status, format, reason: rendered.problem.message })
    return escapeFor(format, message)
  }
}

function readTemplates(folder: string, log: Log): ReadonlyMap<string, TextTemplate> {
  const templates = new Map<string, TextTemplate>()
  for (const name of namesIn(folder)) {
    const file = join(folder, name)
    try {
      const template = parseTextTemplate(readFileSync(file, 'utf8'))
      if (template.problem === undefined) templates.set(name, template)
      else log.error('an error template is broken and not used', { file, reason: template.problem.message })
    } catch (cause) {
      log.error('an error template cannot be read', { file, reason: String(cause) })
    }
  }
  return templates
}

function namesIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    return entries.filter((entry) => entry.isFile() && entry.name.startsWith('error')).map((entry) => entry.name)
  } catch {
    // The folder is optional.
    return []
  }
}
