// Hooks that pnpm calls: `readPackage` when it resolves the dependencies, `beforePacking` when it packs or publishes a
// package of this repository.
import { publishedManifest } from './scripts/published-manifest.mjs'

/**
 * Removes `engines` from uWebSockets.js. Its package.json asks for Node 22, but the package has the binary for Node 20,
 * whose hash scripts/uws-hashes.mjs pins and the tests run. pnpm would warn about it at each installation on Node 20.
 */
function readPackage(manifest) {
  if (manifest.name === 'uws-pack') delete manifest.engines
  return manifest
}

export const hooks = { readPackage, beforePacking: publishedManifest }
