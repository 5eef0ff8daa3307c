/** Brotli compression (RFC 7932), implemented by the platform. */
export interface Brotli {
  /** Decompresses. Rejects when the bytes are invalid or the result exceeds `limit` bytes. */
  unpack(bytes: Uint8Array, limit: number): Promise<Uint8Array>
  pack(bytes: Uint8Array): Promise<Uint8Array>
}
