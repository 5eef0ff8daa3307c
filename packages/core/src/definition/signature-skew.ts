/** A larger `allowed_clock_skew` is reduced to this, because each second costs up to two hashes per request. */
export const maxSignatureSkewSeconds = 3600
