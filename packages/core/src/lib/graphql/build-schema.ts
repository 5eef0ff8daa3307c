/**
 * Builds the schema of a GraphQL API from the text of its definition, once, when the API is compiled. Directives and
 * types that only a federation router knows do not make a schema invalid, but every type that a field names must exist.
 */
import {
  buildASTSchema,
  type DefinitionNode,
  GraphQLSchema,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  Kind,
  parse,
} from 'graphql'

export type BuiltSchema =
  | { readonly schema: GraphQLSchema; readonly problem: undefined }
  | { readonly problem: string; readonly schema: undefined }

/** Builds a schema. An empty text gives a schema without any type. */
export function buildSchemaFrom(text: string): BuiltSchema {
  if (text.trim() === '') return { schema: new GraphQLSchema({}), problem: undefined }
  try {
    const document = parse(text, { noLocation: true })
    const definitions = withLoneExtensions(document.definitions)
    const schema = buildASTSchema({ kind: Kind.DOCUMENT, definitions }, { assumeValidSDL: true })
    resolveAllFields(schema)
    return { schema, problem: undefined }
  } catch (cause) {
    return { schema: undefined, problem: cause instanceof Error ? cause.message : String(cause) }
  }
}

/** `extend type Query` without `type Query` defines the type: subgraphs of a federation are written this way. */
function withLoneExtensions(definitions: readonly DefinitionNode[]): DefinitionNode[] {
  const defined = new Set(
    definitions.filter((node) => node.kind === Kind.OBJECT_TYPE_DEFINITION).map((node) => node.name.value),
  )
  return definitions.map((node) => {
    if (node.kind !== Kind.OBJECT_TYPE_EXTENSION || defined.has(node.name.value)) return node
    defined.add(node.name.value)
    return { ...node, kind: Kind.OBJECT_TYPE_DEFINITION }
  })
}

/** The library resolves fields when they are first read and throws then if a type is missing. */
function resolveAllFields(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (isObjectType(type) || isInterfaceType(type) || isInputObjectType(type)) type.getFields()
  }
}
