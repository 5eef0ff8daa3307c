/** Describes the error of a script, with its position in the user's file. */

const maxLength = 2000
/** Frames of the helpers and of QuickJS itself, which do not help the author of a script. */
const ownFrame = /\((?:native|helpers|underscore)(?::\d+)*\)|^\s*at \S+ \(native\)/

/** `thrown`: a copy of the value. `isLate`: the script exceeded its time limit. */
export function describeProblem(thrown: unknown, isLate: boolean): string {
  const { name, message, stack } = Object(thrown) as Readonly<Record<string, unknown>>
  const frames = typeof stack === 'string' ? stack.split('\n') : []
  const place = frames.map((line) => line.trim()).find((line) => line !== '' && !ownFrame.test(line))
  const text = isLate ? 'the script exceeded its time limit (jsvm_timeout)' : describeThrown(thrown, name, message)
  return (place === undefined ? text : `${text} ${place}`).slice(0, maxLength)
}

function describeThrown(thrown: unknown, name: unknown, message: unknown): string {
  if (typeof message === 'string') return typeof name === 'string' ? `${name}: ${message}` : message
  return typeof thrown === 'object' ? (JSON.stringify(thrown) ?? 'an object was thrown') : String(thrown)
}
