/** Whether only this machine can reach an address to listen on. Empty means every address. */
export function isLoopback(address: string): boolean {
  return address === 'localhost' || address === '::1' || /^127(\.\d{1,3}){3}$/.test(address)
}
