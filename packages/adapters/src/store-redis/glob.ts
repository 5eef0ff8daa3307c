/** Escapes a text for a Redis glob pattern that matches only this text. */
export function escapeGlob(text: string): string {
  return text.replace(/[\\*?[\]]/g, '\\$&')
}
