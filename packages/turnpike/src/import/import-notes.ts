/** What the gateway does not use of an OpenAPI document, and how to change that. */
import { operationsOf, requiredSchemes } from '@turnpike/core/definition'
import { type Json, listOf, memberOf, objectOf, textOf } from '@turnpike/core/lib'
import type { UnreadReference } from '../formats/bundle-document.ts'
import type { ConvertOptions, ImportAuth } from './convert-openapi.ts'

export interface ImportNote {
  /** Member of the document, such as `servers[1]`. */
  readonly path: string
  readonly message: string
}

type Options = Pick<ConvertOptions, 'validate' | 'mock' | 'allowList' | 'target' | 'vendor'>

/** Returns everything that is ignored in a document without the gateway's extension. */
export function importNotes(given: Json, auth: ImportAuth, options: Options): ImportNote[] {
  return [
    ...serverNotes(given, options),
    ...securityNotes(given, auth),
    ...checkNotes(given, options),
    ...memberNotes(given, options.vendor),
  ]
}

function serverNotes(document: Json, { target }: Options): ImportNote[] {
  const servers = listOf(document['servers'])
  const notes: ImportNote[] = []
  if (target !== undefined && servers.length > 0) {
    notes.push({ path: 'servers', message: 'is not used, because --target names the upstream' })
  }
  if (target === undefined && servers.length > 1) {
    const path = servers.length === 2 ? 'servers[1]' : `servers[1] to [${servers.length - 1}]`
    const verb = servers.length === 2 ? 'is' : 'are'
    notes.push({ path, message: `${verb} not used: requests go to the first server; --target names another` })
  }
  const variables = Object.keys(objectOf(memberOf(servers[0], 'variables')))
  if (target === undefined && variables.length > 0) {
    notes.push({ path: 'servers[0].variables', message: `have their default values: ${variables.join(', ')}` })
  }
  const items = Object.entries(objectOf(document['paths']))
  const own = items.filter(([, item]) => memberOf(item, 'servers') !== undefined).map(([path]) => path)
  const operations = operationsOf(document).filter(({ operation }) => operation['servers'] !== undefined)
  own.push(...operations.map(({ method, path }) => `${method} ${path}`))
  if (own.length > 0) notes.push({ path: 'servers', message: `of single paths are not used: ${shortList(own)}` })
  return notes
}

function securityNotes(document: Json, auth: ImportAuth): ImportNote[] {
  const notes: ImportNote[] = []
  const security = listOf(document['security'])
  const own = operationsOf(document).filter(({ operation }) => operation['security'] !== undefined)
  if (auth === 'none') {
    const message = 'requests need no key; --auth key requires one'
    notes.push({ path: 'security', message: security.length === 0 ? message : `is not used: ${message}` })
  }
  if (auth === 'document') {
    if (security.length > 1) {
      const message = 'is not used: only the first entry applies, not its alternatives'
      notes.push({ path: security.length === 2 ? 'security[1]' : `security[1] to [${security.length - 1}]`, message })
    }
    for (const name of requiredSchemes(document, {})) {
      const type = textOf(memberOf(document, 'components', 'securitySchemes', name, 'type'))
      if (type === 'apiKey') continue
      const message = `has the type "${type}", which needs settings: server.authentication of the extension`
      notes.push({ path: `components.securitySchemes.${name}`, message })
    }
  }
  if (own.length > 0) {
    const names = shortList(own.map(({ method, path }) => `${method} ${path}`))
    notes.push({ path: 'security', message: `of single operations is not used: ${names}` })
  }
  return notes
}

function checkNotes(document: Json, { validate, mock, allowList }: Options): ImportNote[] {
  const notes: ImportNote[] = []
  const operations = operationsOf(document)
  const checked = operations.some((one) => one.parameters.length > 0 || one.operation['requestBody'] !== undefined)
  if (validate !== true && checked) {
    notes.push({
      path: 'paths',
      message: 'parameters and bodies are not checked; --validate rejects what does not fit',
    })
  }
  if (mock !== true)
    notes.push({ path: 'paths', message: 'examples are not used as responses; --mock responds with them' })
  if (allowList !== true) {
    notes.push({ path: 'paths', message: 'paths outside the document are forwarded too; --allow-list rejects them' })
  }
  return notes
}

/** Members that describe more than a gateway does. */
function memberNotes(document: Json, vendor: string): ImportNote[] {
  const notes: ImportNote[] = []
  if (document['webhooks'] !== undefined) notes.push({ path: 'webhooks', message: 'have no effect' })
  const operations = operationsOf(document)
  const named = (member: string) =>
    operations.filter(({ operation }) => operation[member] !== undefined).map(({ method, path }) => `${method} ${path}`)
  const callbacks = named('callbacks')
  if (callbacks.length > 0) notes.push({ path: 'callbacks', message: `have no effect: ${shortList(callbacks)}` })
  const extensions = new Set<string>()
  for (const part of [document, objectOf(document['info']), ...operations.map(({ operation }) => operation)]) {
    for (const name of Object.keys(part)) if (name.startsWith('x-')) extensions.add(name)
  }
  for (const name of [...extensions].sort()) {
    const other = /^x-([a-z0-9]+)-api-gateway$/.exec(name)?.[1]
    if (other === vendor) continue
    const message =
      other === undefined
        ? 'is an extension that has no effect'
        : `has no effect with the vendor word "${vendor}"; set vendor to "${other}" in the configuration to use it`
    notes.push({ path: name, message })
  }
  return notes
}

function shortList(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ')
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown
}

/** References to other documents that were not followed. Values that they should check are rejected. */
export function referenceNotes(unread: readonly UnreadReference[]): ImportNote[] {
  return unread.map(({ place, reference, reason }) => ({
    path: place,
    message: `$ref ${reference} is not followed: ${reason}`,
  }))
}
