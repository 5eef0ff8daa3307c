/** Time zones: their offsets from UTC and their abbreviations, from the data of the platform. */

export interface Zone {
  /** Seconds east of UTC at a time in ms since 1970. */
  offsetAt(at: number): number
  /** The abbreviation at that time: `UTC`, `CET`, `+0530`. */
  nameAt(at: number): string
}

export const utc: Zone = { offsetAt: () => 0, nameAt: () => 'UTC' }

/** A zone of an offset alone, as in `2024-05-06T07:08:09+02:00`. */
export function fixedZone(offset: number, name = ''): Zone {
  return { offsetAt: () => offset, nameAt: () => name || offsetText(offset) }
}

/** `+0530`. */
export function offsetText(offset: number, separator = ''): string {
  const minutes = Math.floor(Math.abs(offset) / 60)
  const pad = (value: number) => String(value).padStart(2, '0')
  return `${offset < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}${separator}${pad(minutes % 60)}`
}

/** Creating a formatter takes up to 0.1 ms. Names come from templates, at worst from bodies, so few are kept. */
const zones = new Map<string, Zone | undefined>()
const maxZones = 64

/** Returns a zone of the IANA database; `undefined` if there is none. Empty: UTC. `Local`: that of the process. */
export function zoneOf(name: string): Zone | undefined {
  if (name === '' || name === 'UTC') return utc
  if (zones.has(name)) return zones.get(name)
  if (zones.size >= maxZones) zones.clear()
  const zone = name === 'Local' ? localZone() : namedZone(name)
  zones.set(name, zone)
  return zone
}

function localZone(): Zone {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return (timeZone === 'UTC' ? undefined : namedZone(timeZone)) ?? utc
}

function namedZone(timeZone: string): Zone | undefined {
  // Offsets such as "+02:00" are no names in Go.
  if (!/^[A-Za-z]/.test(timeZone)) return undefined
  const options = { timeZone, hourCycle: 'h23', timeZoneName: 'longOffset' } as const
  let offsets: Intl.DateTimeFormat
  try {
    offsets = new Intl.DateTimeFormat('en-US', options)
  } catch {
    return undefined
  }
  const offsetAt = (at: number) => readOffset(zonePart(offsets, at))
  return { offsetAt, nameAt: (at) => abbreviation(timeZone, at) ?? offsetText(offsetAt(at)) }
}

const zonePart = (format: Intl.DateTimeFormat, at: number) =>
  format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? ''

/** `GMT`, `GMT+05:30`. */
function readOffset(text: string): number {
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = /([+-])(\d+):(\d+)(?::(\d+))?/.exec(text) ?? []
  const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  return sign === '-' ? -size : size
}

/** Each of these locales has the abbreviations of other zones. */
const locales = ['en-US', 'en-GB', 'en-AU', 'en-IN', 'en-ZA']

function abbreviation(timeZone: string, at: number): string | undefined {
  for (const locale of locales) {
    const name = zonePart(new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' }), at)
    if (/^[A-Z]{3,5}$/.test(name)) return name
  }
  return undefined
}
