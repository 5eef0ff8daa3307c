/** The templates in use, by organisation and by what sessions have in common; they go with the last key that has it. */

import type { Session } from '../../ports/session.ts'
import type { GatewaySettings } from '../../ports/settings.ts'
import { makePathPatterns } from '../access/path-patterns.ts'
import type { SessionOutline } from '../outline.ts'
import type { PolicyBook } from '../policies/policy-book.ts'
import { KeyTemplate, type KeyTemplateParts } from './key-template.ts'

export interface KeyTemplates {
  /** The template of a session on the APIs of an organisation; one of its own where it has to be. */
  of(outline: SessionOutline, orgId: string): KeyTemplate
  /** Policies were replaced: all are made anew at their next use. */
  clear(): void
}

export function makeKeyTemplates(settings: GatewaySettings, policies: () => PolicyBook): KeyTemplates {
  const patterns = makePathPatterns(settings.routing)
  let byOrg = new Map<string, WeakMap<Session, KeyTemplate>>()

  const shared = (common: Session, parts: KeyTemplateParts): KeyTemplate => {
    let templates = byOrg.get(parts.orgId)
    if (templates === undefined) {
      templates = new WeakMap()
      byOrg.set(parts.orgId, templates)
    }
    let template = templates.get(common)
    if (template === undefined) {
      template = new KeyTemplate(common, false, parts)
      templates.set(common, template)
    }
    return template
  }

  // Most keys are made like the one before, so its template is tried first.
  let last: { readonly common: Session; readonly orgId: string; readonly template: KeyTemplate } | undefined

  return {
    of(outline, orgId) {
      const { common } = outline
      if (last !== undefined && last.common === common && last.orgId === orgId) return last.template
      const parts = { orgId, policies: policies(), settings, patterns }
      const template = common && shared(common, parts)
      if (common === undefined || template === undefined || template.needsMetaData) {
        return new KeyTemplate(outline.whole(), true, parts)
      }
      last = { common, orgId, template }
      return template
    },
    clear() {
      byOrg = new Map()
      last = undefined
    },
  }
}
