/** Reading YAML, as `@turnpike/core/lib/yaml`. An entry point of its own, because most gateways read no YAML. */
export { type YamlAsJson, yamlToJson } from './yaml-to-json.ts'
