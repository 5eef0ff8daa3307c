/** Bodies packed by brotli (RFC 7932): too large a matter for a library that runs anywhere, so the platform does it. */
export interface Brotli {
  /** Rejects when the bytes are broken, or would be longer than `limit`. */
  unpack(bytes: Uint8Array, limit: number): Promise<Uint8Array>
  pack(bytes: Uint8Array): Promise<Uint8Array>
}
