// Cycles of imports and of dependencies between packages, for import-direction.mjs.

/** Kinds of dependencies that pnpm orders packages by. */
const kinds = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']

/**
 * Finds cycles in a graph: strongly connected components with more than one node (Tarjan's algorithm).
 * @param {Map<string, string[]>} graph the nodes that each node points to; others than the keys are ignored
 */
export function cyclesOf(graph) {
  const index = new Map()
  const low = new Map()
  const stack = []
  const cycles = []
  const visit = (node) => {
    index.set(node, index.size)
    low.set(node, index.get(node))
    stack.push(node)
    for (const target of graph.get(node) ?? []) {
      if (!graph.has(target)) continue
      if (!index.has(target)) {
        visit(target)
        low.set(node, Math.min(low.get(node), low.get(target)))
      } else if (stack.includes(target)) low.set(node, Math.min(low.get(node), index.get(target)))
    }
    if (low.get(node) !== index.get(node)) return
    const component = stack.splice(stack.indexOf(node))
    if (component.length > 1) cycles.push(component.sort())
  }
  for (const node of graph.keys()) if (!index.has(node)) visit(node)
  return cycles
}

/**
 * Finds cycles of packages that depend on each other, development dependencies included.
 * @param {object[]} manifests parsed package.json files of the workspace
 */
export function packageCycles(manifests) {
  return cyclesOf(
    new Map(manifests.map((manifest) => [manifest.name, kinds.flatMap((kind) => Object.keys(manifest[kind] ?? {}))])),
  )
}
