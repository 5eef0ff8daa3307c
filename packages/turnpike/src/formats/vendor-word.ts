/** The vendor word that the files of an owner show: the extension of a document, or the word in a definition. */
import { isJson, type Json } from '@turnpike/core/lib'

/** The word of the extension, such as `tyk` for `x-tyk-api-gateway`. `svc` wins over others. */
export function vendorOfDocument(document: Json): string | undefined {
  const names = Object.keys(document).flatMap((name) => /^x-([a-z][a-z0-9]*)-api-gateway$/.exec(name)?.[1] ?? [])
  return names.includes('svc') ? 'svc' : names[0]
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
