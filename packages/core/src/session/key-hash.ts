/** Stub of the contract; see the owner's work. */
export type HashFunction = 'murmur32' | 'murmur64' | 'murmur128' | 'sha256'
