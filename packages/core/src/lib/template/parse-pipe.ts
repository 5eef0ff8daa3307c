/** Parses the content of an action: pipelines, commands and operands. */
import type { Command, Operand, Pipe } from './ast.ts'
import type { Token } from './lexer.ts'
import { TemplateError } from './template-problem.ts'
import type { TokenReader } from './token-reader.ts'

/** The names that a template may use at this position. */
export interface Names {
  /** Why the template cannot use the function; `undefined`: it can. */
  functionProblem(name: string): string | undefined
  hasVariable(name: string): boolean
  declare(name: string): void
}

/** Maximum nesting of parentheses; deeper nesting would exhaust the stack. */
const maxDepth = 100

/** `maxVariables` is 2 in `range`, else 1; 0 in parentheses. */
export function parsePipe(reader: TokenReader, names: Names, where: string, maxVariables: number, depth = 0): Pipe {
  const first = reader.peek()
  if (depth > maxDepth) throw new TemplateError('parentheses nest too deep', first?.at ?? reader.at)
  const { variables, assigns } = parseVariables(reader, names, where, maxVariables)
  const commands = [parseCommand(reader, names, where, depth)]
  while (reader.takeSign('|')) {
    const command = parseCommand(reader, names, where, depth)
    const head = command.operands[0]
    // Only a function can receive the value from the pipe.
    if (head?.kind === 'constant' || head?.kind === 'dot' || head?.kind === 'nil') {
      throw new TemplateError(`non executable command in pipeline stage ${commands.length + 1}`, command.at)
    }
    commands.push(command)
  }
  if (!assigns) for (const name of variables) names.declare(name)
  return { at: first?.at ?? reader.at, variables, assigns, commands }
}

function parseVariables(
  reader: TokenReader,
  names: Names,
  where: string,
  most: number,
): { variables: string[]; assigns: boolean } {
  const variables: string[] = []
  let ahead = 0
  while (reader.peek(ahead)?.kind === 'variable') {
    variables.push((reader.peek(ahead) as Token & { text: string }).text)
    ahead++
    if (!(variables.length < most && reader.isSign(',', ahead))) break
    ahead++
  }
  const assigns = reader.isSign('=', ahead)
  if (variables.length === 0 || !(assigns || reader.isSign(':=', ahead))) return { variables: [], assigns: false }
  if (most === 0) reader.unexpected(where)
  for (let i = 0; i <= ahead; i++) reader.next()
  for (const name of assigns ? variables : []) {
    if (!names.hasVariable(name)) throw new TemplateError(`undefined variable "$${name}"`, reader.at)
  }
  return { variables, assigns }
}

function parseCommand(reader: TokenReader, names: Names, where: string, depth: number): Command {
  const at = reader.peek()?.at ?? reader.at
  const operands: Operand[] = []
  for (;;) {
    const token = reader.peek()
    if (token === undefined || reader.isSign('|') || reader.isSign(')')) break
    if (operands.length > 0 && !token.spaced) reader.unexpected(where)
    operands.push(parseOperand(reader, names, where, depth))
  }
  if (operands.length === 0) reader.unexpected(where)
  return { at, operands }
}

function parseOperand(reader: TokenReader, names: Names, where: string, depth: number): Operand {
  const token = reader.peek() as Token
  const { at } = token
  switch (token.kind) {
    case 'dot':
      reader.next()
      return { kind: 'dot', at }
    case 'field':
      return { kind: 'field', names: readMembers(reader, true), at }
    case 'variable':
      reader.next()
      if (!names.hasVariable(token.text)) throw new TemplateError(`undefined variable "$${token.text}"`, at)
      return { kind: 'variable', name: token.text, names: readMembers(reader), at }
    case 'constant':
      reader.next()
      return { kind: 'constant', value: token.value, at }
    case 'word':
      reader.next()
      return withMembers(word(token.text, names, at), reader)
    case 'sign': {
      if (!reader.takeSign('(')) reader.unexpected(where)
      const pipe = parsePipe(reader, names, 'parenthesized pipeline', 0, depth + 1)
      if (!reader.takeSign(')')) reader.unexpected('parenthesized pipeline')
      return { kind: 'pipe', pipe, names: readMembers(reader), at }
    }
  }
}

function word(text: string, names: Names, at: number): Operand {
  if (text === 'true' || text === 'false') return { kind: 'constant', value: text === 'true', at }
  if (text === 'nil') return { kind: 'nil', at }
  const problem = names.functionProblem(text)
  if (problem !== undefined) throw new TemplateError(problem, at)
  return { kind: 'function', name: text, at }
}

/** `now.Year` is `(now).Year`. */
function withMembers(operand: Operand, reader: TokenReader): Operand {
  const names = operand.kind === 'function' ? readMembers(reader) : []
  if (names.length === 0) return operand
  const { at } = operand
  const pipe: Pipe = { at, variables: [], assigns: false, commands: [{ at, operands: [operand] }] }
  return { kind: 'pipe', pipe, names, at }
}

/** Members that follow without white space: `$x.a.b`. */
function readMembers(reader: TokenReader, first = false): string[] {
  const members: string[] = []
  for (;;) {
    const token = reader.peek()
    if (token?.kind !== 'field' || (token.spaced && !(first && members.length === 0))) return members
    members.push(token.text)
    reader.next()
  }
}
