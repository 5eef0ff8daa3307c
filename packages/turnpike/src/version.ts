/** Turnpike's own version; the package's, which a test compares. */
export const version = '0.1.0'

/** As /hello and the User-Agent tell it. */
export const versionText = `v${version}`
