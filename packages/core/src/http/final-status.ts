/** Returns true if the number can be the status of a final response; 1xx responses are informational. */
export function isFinalStatus(code: number): boolean {
  return Number.isInteger(code) && code >= 200 && code <= 999
}
