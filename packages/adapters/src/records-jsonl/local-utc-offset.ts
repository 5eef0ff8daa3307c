import type { UtcOffset } from '@turnpike/core'

/** Of the time zone that the process runs in. */
export const localUtcOffset: UtcOffset = (at) => -new Date(at).getTimezoneOffset()
