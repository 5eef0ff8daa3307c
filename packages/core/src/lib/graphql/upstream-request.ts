/**
 * Writes the query that the engine form sends to the upstream: one operation without its name, with fragments in place
 * of their spreads, literals as variables and repeated fields once. `__typename` at the root and introspection are
 * resolved by the gateway and therefore left out.
 */
import {
  type ArgumentNode,
  type DirectiveNode,
  Kind,
  print,
  TypeNameMetaFieldDef,
  type ValueNode,
  type VariableDefinitionNode,
} from 'graphql'
import { stringifyExactly } from '../text/json-number.ts'
import { levelOf, type OperationTree, type SelectedField, type Selection } from './operation-tree.ts'
import type { Literal } from './variables.ts'

export interface UpstreamQuery {
  readonly query: string
  /** Names of the client's variables that the query uses. */
  readonly used: readonly string[]
  readonly literals: readonly Literal[]
}

/** Returns `undefined` if the gateway resolves every root field. */
export function writeUpstreamQuery(
  tree: OperationTree,
  literals: ReadonlyMap<ValueNode, Literal>,
): UpstreamQuery | undefined {
  if ([...levelOf(tree.selections)].every(isOwnField)) return undefined
  const writer = new Writer(literals)
  const body = writer.selections(tree.selections, isOwnField)
  const { used, literalsUsed } = writer
  const declared = (tree.node.variableDefinitions ?? []).filter(({ variable }) => used.has(variable.name.value))
  const parameters = [
    ...declared.map(writeDefinition),
    ...[...literalsUsed].map(({ name, type }) => `$${name}: ${String(type)}`),
  ]
  const { operation, directives = [] } = tree.node
  const head = operation === 'query' && parameters.length === 0 && directives.length === 0 ? '' : operation
  const list = parameters.length === 0 ? '' : `(${parameters.join(', ')})`
  const query = `${head}${list}${writer.directives(directives)}${body}`
  return { query, used: [...used], literals: [...literalsUsed] }
}

/** Returns true for a root field that the gateway resolves without the upstream. */
export function isOwnField(selection: SelectedField): boolean {
  return selection.isIntrospection || selection.field === TypeNameMetaFieldDef
}

/** The body of the request. `given`: the variables of the client; `undefined`: it sent none. */
export function writeUpstreamBody(
  { query, used, literals }: UpstreamQuery,
  given: Readonly<Record<string, unknown>> | undefined,
): string {
  const variables: Record<string, unknown> = Object.create(null)
  for (const name of used) if (given !== undefined && Object.hasOwn(given, name)) variables[name] = given[name]
  for (const { name, value } of literals) variables[name] = value
  return stringifyExactly(isEmpty(variables) && !(given && isEmpty(given)) ? { query } : { variables, query })
}

const isEmpty = (object: object) => Object.keys(object).length === 0

function writeDefinition({ variable, type, defaultValue }: VariableDefinitionNode): string {
  const suffix = defaultValue === undefined ? '' : ` = ${print(defaultValue)}`
  return `$${variable.name.value}: ${print(type)}${suffix}`
}

class Writer {
  readonly used = new Set<string>()
  readonly literalsUsed = new Set<Literal>()
  private readonly literals: ReadonlyMap<ValueNode, Literal>

  constructor(literals: ReadonlyMap<ValueNode, Literal>) {
    this.literals = literals
  }

  selections(selections: readonly Selection[], isLeftOut: (field: SelectedField) => boolean = () => false): string {
    const texts: string[] = []
    for (const { head, inner } of this.merge(selections, isLeftOut)) {
      const content = inner.length === 0 ? '' : this.selections(inner, head.startsWith('...') ? isLeftOut : undefined)
      if (content === '{}') continue
      texts.push(`${head}${content}`)
    }
    return `{${texts.join(' ')}}`
  }

  /** Selections with equal heads become one with the selections of all. */
  private merge(
    selections: readonly Selection[],
    isLeftOut: (field: SelectedField) => boolean,
  ): { head: string; inner: Selection[] }[] {
    const merged = new Map<string, { head: string; inner: Selection[] }>()
    for (const selection of selections) {
      if (selection.kind === 'field' && isLeftOut(selection)) continue
      const head = selection.kind === 'field' ? this.field(selection) : this.group(selection)
      const known = merged.get(head)
      if (known === undefined) merged.set(head, { head, inner: [...selection.selections] })
      else known.inner.push(...selection.selections)
    }
    return [...merged.values()]
  }

  private field({ node, key, field }: SelectedField): string {
    const alias = key === field.name ? '' : `${key}: `
    return `${alias}${field.name}${this.arguments(node.arguments ?? [])}${this.directives(node.directives ?? [])}`
  }

  private group({ type, directives }: Extract<Selection, { kind: 'group' }>): string {
    return `...on ${type.name}${this.directives(directives)}`
  }

  directives(nodes: readonly DirectiveNode[]): string {
    return nodes.map(({ name, arguments: given = [] }) => ` @${name.value}${this.arguments(given)}`).join('')
  }

  private arguments(nodes: readonly ArgumentNode[]): string {
    if (nodes.length === 0) return ''
    return `(${nodes.map(({ name, value }) => `${name.value}: ${this.value(value)}`).join(', ')})`
  }

  private value(node: ValueNode): string {
    const literal = this.literals.get(node)
    if (literal !== undefined) {
      this.literalsUsed.add(literal)
      return `$${literal.name}`
    }
    this.note(node)
    return print(node)
  }

  private note(node: ValueNode): void {
    if (node.kind === Kind.VARIABLE) this.used.add(node.name.value)
    else if (node.kind === Kind.LIST) for (const one of node.values) this.note(one)
    else if (node.kind === Kind.OBJECT) for (const one of node.fields) this.note(one.value)
  }
}
