/** A text as a glob pattern of Redis that matches nothing but itself. */
export function escapeGlob(text: string): string {
  return text.replace(/[\\*?[\]]/g, '\\$&')
}
