/**
 * Hides credentials of a watched request in every text about it. Core hides what the API reads as a credential; this adds
 * headers and query fields whose names suggest one, because their values can be part of notes about the upstream.
 */
import { makeHiddenTexts, type RequestDetails } from '@turnpike/core/pipeline'

const suggestive =
  /secret|token|passw|api-?_?key|signature|credential|session|assertion|authori[sz]ation|cookie|^x-auth|csrf|xsrf|^code(_verifier)?$/i

/** Returns true if the name of a header or of a query field suggests a credential. */
export function suggestsCredential(name: string): boolean {
  return suggestive.test(name)
}

/** Shorter texts are part of too many others. */
const minLength = 4

/** Returns a function that replaces the credentials of the request in a text by `[secret]`. */
export function hiderOf({ original, shown }: RequestDetails): (text: string) => string {
  const hidden = makeHiddenTexts()
  const hide = (value: string) => {
    if (value.length >= minLength) hidden.hide(value)
  }
  const { headers, target } = original
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] as string
    const value = headers[i + 1] as string
    if (!suggestsCredential(name)) continue
    hide(value)
    if (name.toLowerCase() === 'cookie')
      for (const pair of value.split(';')) hide(pair.slice(pair.indexOf('=') + 1).trim())
    // Behind the scheme: `Bearer TOKEN`.
    else hide(value.slice(value.indexOf(' ') + 1))
  }
  const at = target.indexOf('?')
  for (const field of at === -1 ? [] : target.slice(at + 1).split('&')) {
    const equals = field.indexOf('=')
    if (equals > 0 && suggestsCredential(field.slice(0, equals))) hide(field.slice(equals + 1))
  }
  return (text) => hidden.shown(shown(text))
}
