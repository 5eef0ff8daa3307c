// The JSON Schemas that the package `turnpike` publishes, built from the shapes that read the files.
import { describe } from './describe.mjs'

const draft = 'http://json-schema.org/draft-07/schema#'
const schemaMember = {
  type: 'string',
  description: 'The JSON Schema of this file, for editors. The gateway ignores it.',
}

/** Fields that every file of a kind needs. */
const required = {
  definition: { '': ['api_id', 'proxy'] },
}

/** The described schemas of all kinds, without the rules of files. `sources` are the modules of the shapes and tables. */
export function describedKinds(sources) {
  const { classicShape, sessionShape, policyShape, configShape, seedShape, extensionShape } = sources
  const session = describe(sessionShape.schema, sources.sessionSupport)
  const seed = describe(seedShape.schema, new Map())
  const members = seed.properties
  return {
    definition: withRequired(describe(classicShape.schema, sources.definitionSupport), required.definition),
    policy: describe(policyShape.schema, sources.policySupport),
    session,
    config: describe(configShape.schema, sources.configSupport),
    seed: {
      ...seed,
      properties: {
        ...members,
        organisations: { ...members.organisations, additionalProperties: session },
        keys: { ...members.keys, additionalProperties: session },
      },
    },
    extension: describe(extensionShape.schema, sources.extensionSupport),
  }
}

/** The schemas by file name. */
export function documentSchemas(sources) {
  const kinds = describedKinds(sources)
  return {
    'gateway.json': file(kinds.config, 'Configuration of a Turnpike gateway', 'The file gateway.json.'),
    'classic-api.json': {
      ...file(kinds.definition, 'API definition', 'A classic API definition in app_path.'),
      // An API that forwards bytes has no listen path.
      if: { required: ['protocol'], properties: { protocol: { enum: ['tcp', 'tls'] } } },
      else: { properties: { proxy: { required: ['listen_path'] } } },
    },
    'openapi-extension.json': openApiFile(kinds.extension, sources),
    'policies.json': policiesFile(kinds.policy),
    'key.json': file(kinds.session, 'Key', 'The session of a key, as the management API reads it.'),
    'seed.json': file(kinds.seed, 'Seed', 'Keys and organisations that the gateway creates at the start.'),
  }
}

function file(schema, title, description) {
  const { properties, ...rest } = readable(schema)
  return {
    $schema: draft,
    title,
    ...rest,
    description,
    properties: { $schema: schemaMember, ...properties },
  }
}

/** Empty texts mean the default in every closed list of words. */
function readable(schema) {
  if (Array.isArray(schema)) return schema.map(readable)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, name === 'default' ? value : readable(value)]),
  )
  return Array.isArray(copy.enum) ? { ...copy, enum: [...new Set([...copy.enum, ''])] } : copy
}

function withRequired(schema, rules) {
  const properties = Object.fromEntries(
    Object.entries(schema.properties).map(([name, one]) => [
      name,
      rules[name] === undefined ? one : { ...one, required: rules[name] },
    ]),
  )
  return { ...schema, required: rules[''], properties }
}

/** One policy, or an object of policies by id. */
function policiesFile(policy) {
  const one = readable(policy)
  const exported = { type: 'object', properties: { $oid: { type: 'string' } } }
  const properties = {
    ...one.properties,
    _id: { ...one.properties._id, type: ['string', 'object'], properties: exported.properties },
  }
  const isMap = {
    propertyNames: { minLength: 1, not: { enum: Object.keys(properties) } },
    properties: { $schema: true },
    additionalProperties: { type: 'object' },
    // A file that contains only `$schema` is the beginning of a policy.
    anyOf: [{ minProperties: 2 }, { minProperties: 1, not: { required: ['$schema'] } }],
  }
  return {
    $schema: draft,
    title: 'Policy, or policies by id',
    description: 'A file of policies.policy_path has one policy; the file policies.policy_record_name has all, by id.',
    type: 'object',
    if: isMap,
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { $schema: schemaMember }, additionalProperties: { $ref: '#/definitions/policy' } },
    else: { ...one, properties: { $schema: schemaMember, ...properties } },
    definitions: { policy: { ...one, properties } },
  }
}

/** An OpenAPI document 3.0 or 3.1 with the extension. The rules of the extension are those of its validation. */
function openApiFile(extension, { documentSchemaFor, extensionName }) {
  const key = extensionName('svc')
  const { schema } = documentSchemaFor('3.1.0', key)
  const { [key]: rules, openapi: _version, ...properties } = schema.properties
  const reference = { $ref: '#/definitions/extension' }
  return {
    $schema: draft,
    title: 'OpenAPI document with the extension of the gateway',
    ...schema,
    properties: {
      $schema: schemaMember,
      openapi: { type: 'string', pattern: '^3\\.[01]\\.\\d+(-.+)?$', description: 'Version of OpenAPI: 3.0 or 3.1.' },
      ...properties,
      [key]: reference,
    },
    // Other vendor words have extensions of their own.
    patternProperties: { '^x-.+-api-gateway$': reference, '^x-(?!.+-api-gateway$)': {} },
    definitions: { extension: withRules(readable(extension), rules) },
  }
}

/** Adds required members, alternatives, patterns and limits of `rules` to a schema with the same members. */
function withRules(schema, rules) {
  const { required: names, properties = {}, items, additionalProperties } = rules
  const added = { ...schema }
  if (names !== undefined) added.required = names
  for (const keyword of ['anyOf', 'pattern', 'enum', 'minimum', 'maximum']) {
    if (rules[keyword] !== undefined) added[keyword] = rules[keyword]
  }
  for (const [name, inner] of Object.entries(properties)) {
    const own = added.properties?.[name]
    if (own !== undefined) added.properties = { ...added.properties, [name]: withRules(own, inner) }
  }
  if (isSchema(items) && isSchema(schema.items)) added.items = withRules(schema.items, items)
  if (isSchema(additionalProperties) && isSchema(schema.additionalProperties)) {
    added.additionalProperties = withRules(schema.additionalProperties, additionalProperties)
  }
  return added
}

function isSchema(value) {
  return typeof value === 'object' && value !== null
}
