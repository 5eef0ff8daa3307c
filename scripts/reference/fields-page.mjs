// The pages of all configuration keys and of all fields of documents, from their schemas and the support tables.
import { code, generatedNote, page, sentence, table } from './markdown.mjs'

const statuses = 'The page [Support status](../support.md) defines the statuses.'

const configHead = `# All configuration keys

${generatedNote}

Every key of the configuration file with its type, its default and the environment variable that overrides it. The prefix of the variables contains the [vendor word](../README.md#vendor-word): \`SVC_GW_\`. [Configuration keys](../configuration.md) and [Turnpike configuration keys](../turnpike-keys.md) describe the keys by topic, [startup](../startup.md#environment-variables) the variables. \`[]\` is an entry of a list, \`*\` any name.

${statuses}`

const fieldsHead = `# All fields

${generatedNote}

Every field of the documents that the gateway reads, with its type and its support status. \`[]\` is an entry of a list, \`*\` any name.

${statuses}`

/** `schema` of the configuration, its support table, and the variables by path. */
export function configPage({ schema, support, defaults, variables }) {
  const fields = listFields(schema)
  const groups = groupBy(fields)
  const sections = [...groups].map(([group, members]) =>
    page(
      group === '' ? '## Keys without a group' : `## ${group}`,
      table(
        ['Name', 'Type', 'Default', 'Variable', 'Status', 'Meaning'],
        members.map((field) => [
          code(field.path),
          field.type,
          defaultText(field, defaults),
          code(variables.get(field.path) ?? ''),
          ...statusAndMeaning(field, support),
        ]),
      ),
    ),
  )
  return page(configHead, ...sections)
}

/** `documents`: title, text, schema, and support table of each kind. */
export function fieldsPage(documents) {
  const sections = documents.map(({ title, text, schema, support }) => {
    const rowOf = ({ path, type, description, schema: own }) => [
      code(path),
      type,
      defaultText({ path, schema: own }),
      ...statusAndMeaning({ path, description }, support),
    ]
    const tables = [...groupBy(listFields(schema))].flatMap(([group, members]) => [
      group === '' ? '' : `### ${title}: ${group}`,
      table(['Field', 'Type', 'Default', 'Status', 'Meaning'], members.map(rowOf)),
    ])
    return page(`## ${title}`, text, ...tables)
  })
  return page(fieldsHead, ...sections)
}

/** The fields of a schema that have no further members, in its order. */
export function listFields(schema, path = '') {
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    if (name === '$schema') return []
    const own = path === '' ? name : `${path}.${name}`
    return fieldsBelow(inner, own)
  })
}

function fieldsBelow(schema, path) {
  if (schema.properties !== undefined) return listFields(schema, path)
  const members = schema.items?.properties === undefined ? [] : listFields(schema.items, `${path}[]`)
  const more = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined
  const below = more === undefined || !hasMembers(more) ? [] : fieldsBelow(more, `${path}.*`)
  return [{ path, type: typeText(schema), description: schema.description, schema }, ...members, ...below]
}

const hasMembers = (schema) => schema.properties !== undefined || schema.items?.properties !== undefined

function typeText(schema) {
  if (schema.enum !== undefined) return schema.enum.map((value) => code(String(value))).join(', ')
  const types = [schema.type ?? 'any'].flat().filter((type) => type !== 'null')
  const type = types.join(' or ')
  if (type === 'array') return schema.items === undefined ? 'list' : `list of ${plural(typeText(schema.items))}`
  if (type === 'object' && typeof schema.additionalProperties === 'object') {
    return `map of ${plural(typeText(schema.additionalProperties))}`
  }
  return type
}

const plural = (type) =>
  type === 'any' ? 'any values' : /^(string|integer|number|boolean|object)$/.test(type) ? `${type}s` : type

function statusAndMeaning({ path, description = '' }, support) {
  const { status = 'supported', reason = '' } = supportOf(path.replaceAll('[]', ''), support) ?? {}
  if (status === 'supported') return [status, sentence(description)]
  const own = /^no effect\b/i.test(description) ? '' : sentence(description)
  return [`*${status}*`, `${own} ${sentence(reason)}`]
}

/** A field without an entry has that of the field above it. */
function supportOf(path, support) {
  if (path === '' || support.has(path)) return support.get(path)
  return supportOf(path.split('.').slice(0, -1).join('.'), support)
}

/** A default is the value of a configuration that a missing file gives; empty values are not shown. */
function defaultText({ path, schema }, defaults) {
  const value = schema.default ?? path.split('.').reduce((group, name) => group?.[name], defaults)
  const isEmpty = value === undefined || value === null || value === '' || typeof value === 'object'
  return isEmpty ? '' : code(String(value))
}

function groupBy(fields) {
  const groups = new Map([['', []]])
  for (const field of fields) {
    const group = field.path.includes('.') ? field.path.split(/[.[]/)[0] : ''
    if (!groups.has(group)) groups.set(group, [])
    groups.get(group).push(field)
  }
  return groups
}
