/**
 * Header fields as a flat list: name, value, name, value, … in the order received. Names are in lower case. A field
 * that occurs twice is listed twice.
 */
export type HeaderPairs = string[]

/** First value of a header; `name` in lower case. */
export function headerOf(headers: HeaderPairs, name: string): string | undefined {
  for (let i = 0; i < headers.length; i += 2) if (headers[i] === name) return headers[i + 1]
  return undefined
}

/** All values of a header, in order; `name` in lower case. */
export function headersOf(headers: HeaderPairs, name: string): string[] {
  const values: string[] = []
  for (let i = 0; i < headers.length; i += 2) if (headers[i] === name) values.push(headers[i + 1] as string)
  return values
}

/** Returns the value of the first cookie of that name (RFC 6265 section 4.2); empty if absent. */
export function cookieOf(headers: HeaderPairs, name: string): string {
  for (let i = 0; i < headers.length; i += 2) {
    if (headers[i] !== 'cookie') continue
    for (const pair of (headers[i + 1] as string).split(';')) {
      const equals = pair.indexOf('=')
      if (equals === -1 || pair.slice(0, equals).trim() !== name) continue
      const value = pair.slice(equals + 1).trim()
      return value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value
    }
  }
  return ''
}

/** Replaces all values of a header by `value`, or appends the header if it is missing. */
export function setHeader(headers: HeaderPairs, name: string, value: string): void {
  for (let i = 0; i < headers.length; i += 2) {
    if (headers[i] !== name) continue
    headers[i + 1] = value
    removeHeaderFrom(headers, name, i + 2)
    return
  }
  headers.push(name, value)
}

/** Removes all values of a header. */
export function removeHeader(headers: HeaderPairs, name: string): void {
  removeHeaderFrom(headers, name, 0)
}

function removeHeaderFrom(headers: HeaderPairs, name: string, start: number): void {
  let to = start
  for (let from = start; from < headers.length; from += 2) {
    if (headers[from] === name) continue
    if (to !== from) {
      headers[to] = headers[from] as string
      headers[to + 1] = headers[from + 1] as string
    }
    to += 2
  }
  headers.length = to
}
