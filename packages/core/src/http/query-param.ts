/** Single parameters of a query as it was sent, read and taken off without touching the others. */

/** First value of a parameter, decoded; `undefined` when it is not there. */
export function queryParam(query: string, name: string): string | undefined {
  if (query === '') return undefined
  for (const pair of query.split('&')) {
    const equals = pair.indexOf('=')
    if (decode(equals === -1 ? pair : pair.slice(0, equals)) !== name) continue
    return equals === -1 ? '' : decode(pair.slice(equals + 1))
  }
  return undefined
}

/** The query without the parameter, all other bytes as they were. */
export function withoutQueryParam(query: string, name: string): string {
  if (query === '') return query
  const pairs = query.split('&')
  return pairs.filter((pair) => decode(pair.split('=', 1)[0] as string) !== name).join('&')
}

function decode(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text
  const spaced = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}
