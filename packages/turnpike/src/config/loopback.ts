/** Returns true if only this machine can reach a listen address. An empty address means every interface. */
export function isLoopback(address: string): boolean {
  return address === 'localhost' || address === '::1' || /^127(\.\d{1,3}){3}$/.test(address)
}
