/**
 * Returns true if interim responses with this status pass to the client: 102 and 103. 100 concerns one connection only,
 * 101 ends HTTP on it, and others have no meaning yet.
 */
export function isForwardedInterim(status: number): boolean {
  return status === 102 || status === 103
}
