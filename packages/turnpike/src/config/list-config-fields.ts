/** The single fields of a configuration with their environment variables, for GET /config and GET /env. */
import { isJson, type JsonSchema, memberOf } from '@turnpike/core/lib'
import type { ConfigField } from '@turnpike/mgmt-api'
import { configShape, type GatewayConfig } from './config-shape.ts'

/** Fields of groups whose content the configuration does not describe. */
const furtherFields = [
  'db_app_conf_options.connection_string',
  'slave_options.connection_string',
  'slave_options.api_key',
  'newrelic.license_key',
  'sentry_code',
  'kv.consul.token',
  'kv.consul.http_auth.password',
  'kv.vault.token',
]

/** Values of these fields are durations in nanoseconds. */
const nanosecondFields: ReadonlySet<string> = new Set(['liveness_check.check_duration'])

/** Returns every field. Groups and maps are no fields. `prefix`: of the environment variables. */
export function listConfigFields(config: GatewayConfig, prefix: string): readonly ConfigField[] {
  const document = configShape.write(config)
  const fields = new Map<string, ConfigField>()
  const add = (path: readonly string[], value: unknown) => {
    const name = path.join('.')
    const text = nanosecondFields.has(name) ? durationText(Number(value)) : valueText(value)
    fields.set(name, { name, env: `${prefix}${path.map(variablePart).join('_')}`, value: text })
  }
  collect(configShape.schema, document, [], add)
  for (const name of furtherFields) {
    const path = name.split('.')
    add(path, memberOf(document, ...path))
  }
  return [...fields.values()]
}

type Add = (path: readonly string[], value: unknown) => void

function collect({ properties = {} }: JsonSchema, values: unknown, path: readonly string[], add: Add): void {
  for (const [name, schema] of Object.entries(properties)) {
    const value = memberOf(values, name)
    const own = [...path, name]
    if (schema.properties !== undefined) collect(schema, value, own, add)
    else if (isField(schema, value)) add(own, value)
  }
}

/** A key without a type is a field only if its value is one. */
function isField({ type, additionalProperties }: JsonSchema, value: unknown): boolean {
  if (type === undefined) return value !== null && !isJson(value)
  return additionalProperties === undefined && ![type].flat().includes('object')
}

/** The rule of docs/reference/startup.md#environment-variables, without its exceptions. */
function variablePart(name: string): string {
  return name.replaceAll('_', '').toUpperCase()
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return `[${value.map(valueText).join(' ')}]`
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** `10s`, `1m30s`, `1h0m0s`, `250ms`. */
function durationText(nanoseconds: number): string {
  const seconds = nanoseconds / 1e9
  if (seconds > 0 && seconds < 1) return seconds < 1e-3 ? `${nanoseconds / 1e3}µs` : `${nanoseconds / 1e6}ms`
  const minutes = Math.floor(seconds / 60)
  if (minutes === 0) return `${seconds}s`
  const rest = `${minutes % 60}m${seconds % 60}s`
  return minutes < 60 ? rest : `${Math.floor(minutes / 60)}h${rest}`
}
