/** Turnpike's own version; the package's, which a test compares. */
export const version = '0.1.0'
