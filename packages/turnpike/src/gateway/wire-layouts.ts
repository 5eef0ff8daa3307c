/**
 * Layouts of error responses from `template_path`: `error_403.json` before `error.json`, the same for XML. They are
 * read once, at the start; without a file, the built-in layout applies.
 * Source: docs/reference/error-responses.md#error-layout.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type ErrorFormat,
  escapeXmlText,
  type FindLayout,
  type Log,
  parseTextTemplate,
  scriptSafeJson,
  type TextTemplate,
} from '@turnpike/core'
import type { GatewayConfig } from '../config/config-shape.ts'

export function wireLayouts({ templatePath }: Pick<GatewayConfig, 'templatePath'>, log: Log): FindLayout {
  const templates = readTemplates(templatePath, log)
  return (status, format) => {
    const template = templates.get(`error_${status}.${format}`) ?? templates.get(`error.${format}`)
    if (template === undefined) return undefined
    return ({ message, status: code }) => {
      const rendered = template.render({ Message: escapeFor(format, message), StatusCode: code })
      if (rendered.problem === undefined) return rendered.text
      log.error('an error template failed', { status, format, reason: rendered.problem.message })
      return escapeFor(format, message)
    }
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
    return readdirSync(folder).filter((name) => /^error(_\d{3})?\.(json|xml)$/.test(name))
  } catch {
    // The folder is optional.
    return []
  }
}

/** JSON layouts contain the message inside quotes, XML layouts as text. */
function escapeFor(format: ErrorFormat, message: string): string {
  return format === 'xml' ? escapeXmlText(message) : scriptSafeJson(message).slice(1, -1)
}
