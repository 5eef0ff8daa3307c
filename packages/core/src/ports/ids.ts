/** Random identifiers: the engine's only source of randomness. */
export interface Ids {
  /** 32 lower-case hexadecimal digits of a version 4 UUID (RFC 9562 section 5.4). */
  uuid(): string
}
