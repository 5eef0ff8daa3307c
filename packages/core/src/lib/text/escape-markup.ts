/** Escapes text for HTML pages and XML documents, so that none of it is interpreted as markup. */

const htmlEntities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
}
const xmlEntities: Readonly<Record<string, string>> = { ...htmlEntities, '"': '&quot;', "'": '&apos;' }

/** For elements and quoted attributes of HTML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => htmlEntities[sign] as string)
}

/** For elements and quoted attributes of XML. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => xmlEntities[sign] as string)
}

/** For the text of XML elements, in which quotes may stay. */
export function escapeXmlText(text: string): string {
  return text.replace(/[&<>]/g, (sign) => xmlEntities[sign] as string)
}
