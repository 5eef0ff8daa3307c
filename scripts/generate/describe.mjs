// Adds default and support status to the descriptions in the JSON Schema of a shape.

const effects = {
  partly: 'Partly supported',
  rejected: 'Not supported, so requests are rejected',
  ignored: 'No effect',
  stored: 'No effect',
}

/**
 * Returns the schema with the default and the support status of each field in its description. `support` is a table by
 * path, as in packages/core/src/definition/support-status: names joined by dots, `*` for the names of a map; lists add no level.
 */
export function describe(schema, support, path = '') {
  const { type, description, default: byDefault, enum: words, properties, items, additionalProperties } = schema
  const within = (name) => (path === '' ? name : `${path}.${name}`)
  const inner = (one, at) => describe(one, support, at)
  const text = sentences(description, byDefault, support.get(path))
  const described = { ...(type === undefined ? {} : { type }), ...(text === '' ? {} : { description: text }) }
  if (byDefault !== undefined) described.default = byDefault
  if (words !== undefined) described.enum = words
  if (properties !== undefined) {
    const entries = Object.entries(properties).map(([name, one]) => [name, inner(one, within(name))])
    described.properties = Object.fromEntries(entries)
    described.additionalProperties = false
  } else if (typeof additionalProperties === 'object') {
    described.additionalProperties = inner(additionalProperties, within('*'))
  }
  if (items !== undefined) described.items = inner(items, path === '' ? path : `${path}`)
  // The description belongs to the list, and is not repeated at its entries.
  if (items !== undefined && described.items.description === text) delete described.items.description
  return described
}

function sentences(description = '', byDefault, support) {
  const parts = [description]
  if (byDefault !== undefined && byDefault !== '' && !/default/i.test(description)) {
    parts.push(`Default: ${typeof byDefault === 'string' ? byDefault : JSON.stringify(byDefault)}.`)
  }
  const effect = support && effects[support.status]
  if (effect !== undefined && !/^no effect/i.test(description))
    parts.push(sentence(`${effect}: ${support.reason}${support.status === 'partly' ? '' : `; ${support.instead}`}`))
  return parts.filter((part) => part !== '').join(' ')
}

function sentence(text) {
  return /[.?]$/.test(text) ? text : `${text}.`
}
