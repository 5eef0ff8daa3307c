/** Limits of JSON-RPC messages, which are parsed at once. */

/** Bytes of a message at most, unless the gateway configures more. */
export const maxMessageBytes = 4 * 1024 * 1024

/** Maximum number of values in a message. Its members are read twice, to find names that two parsers read differently. */
export const maxMessageValues = 20_000
