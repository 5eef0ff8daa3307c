/** The vendor word that the files of an owner show: the extension of a document, or the word in a definition. */
import { extensionName, extensionOf, otherExtensionOf } from '@turnpike/core/definition'
import { isJson, type Json, memberOf, objectOf, textOf } from '@turnpike/core/lib'

/** The word of the extension, such as `tyk` for `x-tyk-api-gateway`. `svc` wins over others. */
export function vendorOfDocument(document: Json): string | undefined {
  return extensionOf(document, 'svc') === undefined ? otherExtensionOf(document, 'svc') : 'svc'
}

/** The word in the text of a definition or document: an extension, a loop `tyk://`, or a path `/tyk/`. */
export function vendorOfText(text: string): string | undefined {
  const extension = /"?x-([a-z][a-z0-9]*)-api-gateway"?\s*:/.exec(text)?.[1]
  if (extension !== undefined) return extension
  return /["'\s]tyk:\/\/|["'\s/]\/tyk\/|"\/tyk\//.test(text) ? 'tyk' : undefined
}

/** The word of several documents; `undefined` if they have none or differ. */
export function vendorOfValues(values: readonly unknown[]): string | undefined {
  const words = new Set(values.flatMap((value) => (isJson(value) ? (vendorOfDocument(value) ?? []) : [])))
  return words.size === 1 ? [...words][0] : undefined
}

/** The id in the extension of a document; empty if it has none. */
export function idOfDocument(document: Json): string {
  const word = vendorOfDocument(document)
  return word === undefined ? '' : textOf(memberOf(extensionOf(document, word), 'info', 'id'))
}

/** The document with an id in its extension, if it has an extension. */
export function withId(document: Json, id: string): Json {
  const word = vendorOfDocument(document)
  if (word === undefined) return document
  const extension = objectOf(extensionOf(document, word))
  return { ...document, [extensionName(word)]: { ...extension, info: { ...objectOf(extension['info']), id } } }
}
