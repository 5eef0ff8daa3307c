/** Formats one request as a line of text. */
import type { RequestRecord } from '@turnpike/core/pipeline'
import type { Colours } from './colours.ts'

/** Digits of a key's hash that are printed, enough to distinguish keys. */
const shownHashDigits = 12

/**
 * Returns time, status, method, path, API, duration, cache hit and key; for a rejection also its stage and message.
 * `listenPath` is the API's listen path, because records contain only the path after it.
 */
export function requestLine(entry: RequestRecord, listenPath: string, colours: Colours): string {
  const time = new Date(entry.startedAt).toISOString().slice(11, 19)
  const path = `${listenPath.replace(/(?<!\/)\/+$/, '')}${entry.path}`
  const { faint, strong, bad } = colours
  const api = entry.apiName === '' ? entry.apiId : entry.apiName
  const facts = [
    `${faint(time)} ${statusColour(entry.status, colours)(String(entry.status))} ${printable(entry.method)} ${printable(path)}`,
    ...(api === '' ? [] : [strong(printable(api))]),
    `${entry.totalMs} ms`,
    ...(entry.cache === 'hit' ? [colours.good('cache hit')] : []),
    ...(entry.keyLogName === '' ? [] : [faint(`key ${entry.keyLogName.slice(0, shownHashDigits)}`)]),
    ...(entry.rejection === undefined
      ? []
      : [bad(`rejected by ${entry.rejection.stage}: ${printable(entry.rejection.message)}`)]),
  ]
  return facts.join('  ')
}

function statusColour(status: number, { good, bad, caution }: Colours) {
  if (status < 300) return good
  return status < 400 || status === 429 ? caution : bad
}

/** Replaces control characters, so that a request cannot send escape sequences to the terminal. */
function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to replace.
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '?')
}
