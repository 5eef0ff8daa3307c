/** Formats one request as a line of text. */
import type { RequestRecord } from '@turnpike/core'

/** Digits of a key's hash that are printed, enough to distinguish keys. */
const shownHashDigits = 12

/**
 * Returns time, status, method, path, duration and key; for a rejection also its stage and message.
 * `listenPath` is the API's listen path, because records contain only the path after it.
 */
export function requestLine(entry: RequestRecord, listenPath: string): string {
  const time = new Date(entry.startedAt).toISOString().slice(11, 19)
  const path = `${listenPath.replace(/\/+$/, '')}${entry.path}`
  const key = entry.keyLogName === '' ? '' : `  key ${entry.keyLogName.slice(0, shownHashDigits)}`
  const rejection =
    entry.rejection === undefined ? '' : `  refused by ${entry.rejection.stage}: ${entry.rejection.message}`
  return `${time} ${entry.status} ${printable(entry.method)} ${printable(path)} ${entry.totalMs} ms${key}${rejection}`
}

/** Replaces control characters, so that a request cannot send escape sequences to the terminal. */
function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to replace.
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '?')
}
