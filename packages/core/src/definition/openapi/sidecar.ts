/**
 * Sidecar documents. An API with an OpenAPI document has two files: `<id>.json`, the classic definition, which the
 * gateway serves, and `<id>-oas.json`, the document, or `<id>-mcp.json` for an MCP proxy.
 * Source: docs/reference/openapi-documents.md#document-files, docs/reference/mcp-proxies.md#mcp-files.
 */
import type { SourceDocument } from '../definition-source.ts'

/** The kind of a sidecar document. */
export type SidecarKind = 'oas' | 'mcp'

/** File name of the sidecar document of an API, without `.json`. */
export function sidecarNameOf(apiId: string, kind: SidecarKind = 'oas'): string {
  return `${apiId}-${kind}`
}

/** Whether a file is a sidecar document. */
export function isSidecarName(fileName: string): boolean {
  return /-(?:oas|mcp)\.(?:json|ya?ml)$/.test(fileName)
}

/** File name of the sidecar document of a definition file; its kind follows from the text of the definition. */
export function sidecarFileOf(fileName: string, text: string | undefined): string {
  const kind: SidecarKind = text !== undefined && /"application_protocol"\s*:\s*"mcp"/.test(text) ? 'mcp' : 'oas'
  return fileName.replace(/\.(json|ya?ml)$/, `-${kind}.$1`)
}

/** Attaches sidecar documents to their definitions. A sidecar document without a definition is ignored. */
export function pairSidecars(documents: readonly SourceDocument[]): readonly SourceDocument[] {
  const sidecars = new Map<string, SourceDocument>()
  for (const document of documents) if (isSidecarName(document.name)) sidecars.set(document.name, document)
  if (sidecars.size === 0) return documents
  const paired: SourceDocument[] = []
  for (const document of documents) {
    if (isSidecarName(document.name)) continue
    const sidecar = sidecars.get(sidecarFileOf(document.name, document.text))
    paired.push(sidecar === undefined ? document : { ...document, hash: `${document.hash}+${sidecar.hash}`, sidecar })
  }
  return paired
}
