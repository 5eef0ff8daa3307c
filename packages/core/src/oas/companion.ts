/**
 * An OpenAPI API is two files: `<id>.json`, the classic form that is served, and `<id>-oas.json` beside it, the
 * document. Source: spec/oas-and-mcp.md 1.
 */
import type { SourceDocument } from '../ports/definition-source.ts'

const ending = '-oas.json'

/** The document's name, without `.json`, for an API with this id. */
export function companionNameOf(apiId: string): string {
  return `${apiId}-oas`
}

/** Whether the name is that of a document beside a definition. */
export function isCompanionName(fileName: string): boolean {
  return fileName.endsWith(ending)
}

/** Definitions, each with its document where there is one. A document on its own is nobody's and is passed over. */
export function pairCompanions(documents: readonly SourceDocument[]): readonly SourceDocument[] {
  const companions = new Map<string, SourceDocument>()
  for (const document of documents) if (isCompanionName(document.name)) companions.set(document.name, document)
  if (companions.size === 0) return documents
  const paired: SourceDocument[] = []
  for (const document of documents) {
    if (isCompanionName(document.name)) continue
    const companion = companions.get(document.name.replace(/\.json$/, ending))
    paired.push(
      companion === undefined ? document : { ...document, hash: `${document.hash}+${companion.hash}`, companion },
    )
  }
  return paired
}
