// pnpm calls this hook when it packs or publishes a package.
import { publishedManifest } from './scripts/published-manifest.mjs'

export const hooks = { beforePacking: publishedManifest }
