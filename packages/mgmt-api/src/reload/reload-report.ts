/** GET /svc/reload/report, specific to Turnpike: what the last reload did. */
import type { ReloadReport } from '@turnpike/core/engine'
import type { JsonSchema } from '@turnpike/core/lib'
import { failure, json } from '../http/reply.ts'
import type { Operation } from '../operation.ts'

const names: JsonSchema = { type: 'array', items: { type: 'string' } }
const text: JsonSchema = { type: 'string' }
const whole: JsonSchema = { type: 'integer' }

const reportSchema: JsonSchema = {
  type: 'object',
  properties: {
    started_at: text,
    duration_ms: { type: 'number' },
    loaded: { ...whole, description: 'APIs served after it' },
    changed: { ...names, description: 'Files that were compiled' },
    removed: { ...names, description: 'Files whose API is served no more' },
    failed: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          source: text,
          reason: text,
          line: whole,
          column: whole,
          kept_old: { type: 'boolean', description: 'The last good version stays in service' },
        },
      },
    },
    renamed: { type: 'array', items: { type: 'object', properties: { api_id: text, from: text, to: text } } },
    policies: {
      type: 'object',
      properties: {
        count: whole,
        problem: text,
        warnings: { type: 'array', items: text },
        stored: {
          type: 'array',
          description: 'Fields of policies that no gateway acts on',
          items: { type: 'object', properties: { source: text, field: text, instead: text } },
        },
      },
    },
    unsupported: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          api_id: text,
          source: text,
          field: text,
          reason: text,
          instead: { ...text, description: 'What to do instead' },
          closes: { type: 'boolean', description: 'Requests are rejected' },
          harmless: { type: 'boolean', description: 'No gateway acts on the field' },
        },
      },
    },
    dropped: { ...text, description: 'Why the reload was dropped' },
  },
}

export const getReloadReport: Operation = {
  id: 'getReloadReport',
  method: 'GET',
  path: '/svc/reload/report',
  summary: 'What the last reload of this node did',
  responses: { 200: { description: 'The report', schema: reportSchema }, 404: 'No reload yet' },
  handle({ management }) {
    const report = management.reloader.report()
    return report === undefined ? failure(404, 'No reload yet') : json(toWireReport(report))
  },
}

function toWireReport(report: ReloadReport): object {
  const { startedAt, durationMs, loaded, changed, removed, policies, dropped } = report
  return {
    started_at: new Date(startedAt).toISOString(),
    duration_ms: durationMs,
    loaded,
    changed,
    removed,
    failed: report.failed.map(({ source, reason, line, column, keptOld }) => ({
      source,
      reason,
      line,
      column,
      kept_old: keptOld,
    })),
    renamed: report.renamed.map(({ apiId, from, to }) => ({ api_id: apiId, from, to })),
    policies: {
      count: policies.count,
      ...(policies.problem === undefined ? {} : { problem: policies.problem }),
      ...(policies.warnings === undefined ? {} : { warnings: policies.warnings }),
      ...(policies.stored === undefined ? {} : { stored: policies.stored }),
    },
    unsupported: report.unsupported.map(({ apiId, source, field, reason, instead, closes, isHarmless = false }) => ({
      api_id: apiId,
      source,
      field,
      reason,
      instead,
      closes,
      harmless: isHarmless,
    })),
    ...(dropped === undefined ? {} : { dropped }),
  }
}
