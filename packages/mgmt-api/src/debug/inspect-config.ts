/**
 * GET /config and GET /env: the configuration in force with its secrets replaced. Source:
 * docs/reference/inspection.md#configuration-inspection.
 */
import { json, type Reply } from '../http/reply.ts'
import type { ConfigField, Management } from '../management.ts'
import { type Operation, queryOf } from '../operation.ts'
import { isSecretField, redactSecrets, redactValue } from './redact-secrets.ts'

const enabled = ({ options, inspect }: Management) =>
  options.configInspection && options.secret !== '' && inspect !== undefined

export const inspectConfig: Operation = {
  id: 'inspectConfig',
  method: 'GET',
  anyMethod: true,
  path: '/config',
  summary: 'The configuration in force, or one of its fields, with secrets replaced',
  query: [{ name: 'field', description: 'Name of one field, with dots: `http_server_options.use_ssl`' }],
  responses: {
    200: { description: 'The configuration, or the field', schema: { type: 'object' } },
    404: 'No such field',
  },
  enabled,
  handle(call) {
    const { config, fields } = call.management.inspect?.() ?? { config: {}, fields: [] }
    const wanted = queryOf(call, 'field')
    if (wanted === '') return json(redactSecrets(config))
    const field = fields.find(({ name }) => name === wanted)
    return showField(field, 'field not found')
  },
}

export const inspectEnvironment: Operation = {
  id: 'inspectEnvironment',
  method: 'GET',
  anyMethod: true,
  path: '/env',
  summary: 'The configuration in force as environment variables, with secrets replaced',
  query: [{ name: 'env', description: 'Name of one variable' }],
  responses: {
    200: {
      description: 'A list of `NAME=value`, or one field',
      schema: { type: ['array', 'object'], items: { type: 'string' } },
    },
    404: 'No such variable',
  },
  enabled,
  handle(call) {
    const { fields } = call.management.inspect?.() ?? { fields: [] }
    const wanted = queryOf(call, 'env')
    if (wanted === '') return json(fields.map(assignment))
    const field = fields.find(({ env }) => env === wanted)
    return showField(field, 'environment variable not found')
  },
}

function showField(field: ConfigField | undefined, missing: string): Reply {
  if (field === undefined) return json({ error: missing }, 404)
  const value = redactValue(field.name, field.value)
  const obfuscated = isSecretField(field.name) || value !== field.value
  return json({ config_field: field.name, env: field.env, value, obfuscated })
}

function assignment({ name, env, value }: ConfigField): string {
  return `${env}=${redactValue(name, value) || "''"}`
}
