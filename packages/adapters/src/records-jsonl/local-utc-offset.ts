import type { UtcOffset } from '@turnpike/core/observability'

/** Returns the UTC offset of the process's time zone in minutes. */
export const localUtcOffset: UtcOffset = (at) => -new Date(at).getTimezoneOffset()
