/** One request on one line, for people who watch a gateway work. */
import type { RequestRecord } from '@turnpike/core'

/** Digits of a key's hash that are shown: enough to tell keys apart. */
const shownHashDigits = 12

/**
 * Time, status, method, path, milliseconds, key; for a rejection the stage and what it said.
 * `listenPath` is that of the API, since records hold the path behind it.
 */
export function requestLine(entry: RequestRecord, listenPath: string): string {
  const time = new Date(entry.startedAt).toISOString().slice(11, 19)
  const path = `${listenPath.replace(/\/+$/, '')}${entry.path}`
  const key = entry.keyLogName === '' ? '' : `  key ${entry.keyLogName.slice(0, shownHashDigits)}`
  const rejection =
    entry.rejection === undefined ? '' : `  refused by ${entry.rejection.stage}: ${entry.rejection.message}`
  return `${time} ${entry.status} ${printable(entry.method)} ${printable(path)} ${entry.totalMs} ms${key}${rejection}`
}

/** Control characters and terminal escapes of a client do not reach the terminal. */
function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out.
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '?')
}
