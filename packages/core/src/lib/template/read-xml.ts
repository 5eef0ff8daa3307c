/**
 * XML as nested maps, for templates: an element is its text, or a map of its children. In the map, attribute names
 * begin with a dash and the text is `#text`; a repeated element is a list. All values are texts. Source:
 * docs/reference/transforms.md#body-templates.
 *
 * Only the five predefined entities of XML and character references are supported, and the document type is ignored. So
 * entities can neither expand a document nor load external resources.
 */
export type ReadXml =
  | { readonly value: Map<string, unknown>; readonly problem: undefined }
  | { readonly problem: string }

/** Maximum nesting of elements. */
const maxDepth = 250

/** Maximum number of elements and attributes. Each costs 1 µs with its template, and no body may block the loop for 50 ms. */
export const maxXmlValues = 30_000

interface Open {
  readonly name: string
  readonly members: Map<string, unknown>
  text: string
}

export function readXml(source: string): ReadXml {
  const problem = xmlLimitProblem(source)
  if (problem !== undefined) return { problem }
  try {
    return { value: read(source), problem: undefined }
  } catch (error) {
    if (error instanceof XmlError) return { problem: error.message }
    throw error
  }
}

/** Checks an upper bound of the number of elements and attributes, without parsing. */
export function xmlLimitProblem(source: string): string | undefined {
  let values = 0
  let inTag = false
  for (let i = 0; i < source.length && values <= maxXmlValues; i++) {
    const char = source.charCodeAt(i)
    if (inTag) {
      if (char === greaterThan) inTag = false
      if (char !== equalsSign) continue
      values++
      i = endOfValue(source, i)
    } else if (char === lessThan && source.charCodeAt(i + 1) !== slash) {
      values++
      const closing = closingOf(source, i)
      inTag = closing === undefined
      // After markup that does not end, the parser reads nothing.
      if (closing !== undefined) i = (endOf(closing, source, i) ?? source.length) - 1
    }
  }
  return values > maxXmlValues ? `exceeded max number of ${maxXmlValues} values` : undefined
}

const lessThan = 0x3c
const equalsSign = 0x3d
const greaterThan = 0x3e
const slash = 0x2f

const valueAt = /\s*(?:"[^"]*"|'[^']*')/y

/** The index of the quote that ends the value after an equals sign, which may contain `>`; without a value, `equals`. */
function endOfValue(source: string, equals: number): number {
  valueAt.lastIndex = equals + 1
  return valueAt.test(source) ? valueAt.lastIndex - 1 : equals
}

/** What ends the comment, processing instruction, character data or document type here; `undefined`: none of them is here. */
function closingOf(source: string, at: number): string | undefined {
  if (source.startsWith('<!--', at)) return '-->'
  if (source.startsWith('<?', at)) return '?>'
  if (source.startsWith('<![CDATA[', at)) return ']]>'
  return source.startsWith('<!', at) ? '>' : undefined
}

function endOf(closing: string, source: string, at: number): number | undefined {
  const found = source.indexOf(closing, at)
  return found === -1 ? undefined : found + closing.length
}

/** Aborts the parser. Caught in this file. */
class XmlError extends Error {}

const tagAt = /<([^\s/>=<]+)((?:\s+[^\s=/>]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/y
const endAt = /<\/([^\s>]+)\s*>/y
const attributeAt = /\s+([^\s=/>]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/gy

function read(source: string): Map<string, unknown> {
  const root: Open = { name: '', members: new Map(), text: '' }
  const open: Open[] = [root]
  let at = 0
  while (at < source.length) {
    const current = open[open.length - 1] as Open
    const next = source.indexOf('<', at)
    const end = next === -1 ? source.length : next
    current.text += decodeEntities(source.slice(at, end))
    if (next === -1) break
    const skipped = skipMarkup(source, next, current)
    at = skipped ?? readTag(source, next, open)
  }
  if (open.length > 1) throw new XmlError(`unexpected end of the element <${open[open.length - 1]?.name}>`)
  if (root.members.size === 0) throw new XmlError('no element')
  if (root.members.size > 1 || Array.isArray([...root.members.values()][0])) throw new XmlError('more than one root')
  return root.members
}

/**
 * Skips comments, processing instructions, the document type and character data; `undefined` if none of them is here.
 */
function skipMarkup(source: string, at: number, current: Open): number | undefined {
  const closing = closingOf(source, at)
  if (closing === undefined) return undefined
  const end = endOf(closing, source, at)
  if (end === undefined) throw new XmlError(`missing ${closing}`)
  if (closing === ']]>') current.text += source.slice(at + 9, end - 3)
  if (closing === '>' && source.slice(at, end).includes('['))
    throw new XmlError('a document type with definitions is not read')
  return end
}

function readTag(source: string, at: number, open: Open[]): number {
  endAt.lastIndex = at
  const end = endAt.exec(source)
  if (end !== null) {
    const closed = open.pop() as Open
    if (open.length === 0 || closed.name !== end[1]) throw new XmlError(`unexpected </${end[1]}>`)
    addMember((open[open.length - 1] as Open).members, closed.name, contentOf(closed))
    return endAt.lastIndex
  }
  tagAt.lastIndex = at
  const tag = tagAt.exec(source)
  if (tag === null) throw new XmlError(`invalid markup at character ${at + 1}`)
  const [, name = '', attributes = '', empty = ''] = tag
  const element: Open = { name, members: new Map(), text: '' }
  for (const [, key = '', double, single] of attributes.matchAll(attributeAt)) {
    element.members.set(`-${key}`, decodeEntities(double ?? single ?? ''))
  }
  const parent = open[open.length - 1] as Open
  if (empty !== '') addMember(parent.members, name, contentOf(element))
  else if (open.push(element) > maxDepth) throw new XmlError('elements nest too deep')
  return tagAt.lastIndex
}

function contentOf({ members, text }: Open): unknown {
  const trimmed = text.trim()
  if (members.size === 0) return trimmed
  if (trimmed !== '') members.set('#text', trimmed)
  return members
}

function addMember(members: Map<string, unknown>, name: string, value: unknown): void {
  const held = members.get(name)
  if (held === undefined) members.set(name, value)
  else if (Array.isArray(held)) held.push(value)
  else members.set(name, [held, value])
}

const entities: ReadonlyMap<string, string> = new Map(
  Object.entries({ lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }),
)

/**
 * A reference that no document type can have defined is an error (XML 1.0, section 4.1), as a lone `&` is. A body can have
 * 260,000 references, so a loop decodes them: a regular expression takes three times as long.
 */
function decodeEntities(text: string): string {
  let decoded = ''
  let from = 0
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', from)) {
    const end = text.indexOf(';', at)
    // Without a semicolon there is no name, which is an error.
    const name = end === -1 ? '' : text.slice(at + 1, end)
    decoded += text.slice(from, at) + (entities.get(name) ?? characterOf(name))
    from = end + 1
  }
  return from === 0 ? text : decoded + text.slice(from)
}

/** The character of `#65` or `#x41`, with up to seven digits. */
function characterOf(name: string): string {
  const isHex = name.charCodeAt(1) === 0x78
  const first = isHex ? 2 : 1
  const hasDigits = name.charCodeAt(0) === 0x23 && name.length > first && name.length <= first + 7
  let code = hasDigits ? 0 : Number.NaN
  if (hasDigits)
    for (let i = first; i < name.length; i++) code = digit(name.charCodeAt(i), isHex) + code * (isHex ? 16 : 10)
  if (code <= 0x10ffff) return String.fromCodePoint(code)
  throw new XmlError(`unknown entity &${name.slice(0, 40)}`)
}

function digit(char: number, isHex: boolean): number {
  if (char >= 0x30 && char <= 0x39) return char - 0x30
  // Letters of both cases differ in this bit only.
  const letter = char | 0x20
  return isHex && letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN
}
