/** Randomness, as names: the only source of it in the engine. */
export interface Ids {
  /** 32 lower-case hexadecimal digits of a version 4 UUID (RFC 9562, 5.4). */
  uuid(): string
}
