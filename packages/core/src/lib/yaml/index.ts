/** Reading YAML, as `@turnpike/core/lib/yaml`. An entry point of its own, because most gateways read no YAML. */
export { type OneDocument, oneDocumentToJson } from './one-document.ts'
export { yamlToJson } from './yaml-to-json.ts'
