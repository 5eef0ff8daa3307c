/**
 * An OpenAPI API is two files: `<id>.json`, the classic form that is served, and `<id>-oas.json` beside it, the
 * document; that of an MCP proxy is `<id>-mcp.json`. Source: spec/oas-and-mcp.md 1, 2.
 */
import type { SourceDocument } from '../definition-source.ts'

/** Which notation a document beside a definition has. */
export type SidecarKind = 'oas' | 'mcp'

/** The document's name, without `.json`, for an API with this id. */
export function sidecarNameOf(apiId: string, kind: SidecarKind = 'oas'): string {
  return `${apiId}-${kind}`
}

/** Whether the name is that of a document beside a definition. */
export function isSidecarName(fileName: string): boolean {
  return fileName.endsWith('-oas.json') || fileName.endsWith('-mcp.json')
}

/** File name of the document beside a definition with this text, which tells of which kind it is. */
export function sidecarFileOf(fileName: string, text: string | undefined): string {
  const kind: SidecarKind = text !== undefined && /"application_protocol"\s*:\s*"mcp"/.test(text) ? 'mcp' : 'oas'
  return fileName.replace(/\.json$/, `-${kind}.json`)
}

/** Definitions, each with its document where there is one. A document on its own is nobody's and is passed over. */
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
