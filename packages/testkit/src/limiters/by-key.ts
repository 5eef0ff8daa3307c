/** Returns the limiter of a key. It is made on the first call for the key. */
export function byKey<T>(make: () => T): (key: string) => T {
  const made = new Map<string, T>()
  return (key) => {
    const limiter = made.get(key) ?? make()
    made.set(key, limiter)
    return limiter
  }
}
