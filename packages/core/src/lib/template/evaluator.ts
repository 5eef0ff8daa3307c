/** Runs a parsed template on data. All work is charged to the budget. */
import type { Command, Node, Operand, Pipe } from './ast.ts'
import type { Budget } from './budget.ts'
import type { FunctionTable } from './function-table.ts'
import type { ParsedTemplate } from './parser.ts'
import { printValue } from './print.ts'
import type { Sources } from './sources.ts'
import { Method } from './struct.ts'
import { TemplateError } from './template-problem.ts'
import { follow, isMapping, isNil, isTrue, sizeOf, sortedEntries } from './value.ts'

/** How the execution of a list of nodes ended. */
type Walked = 'done' | 'break' | 'continue'

interface Variable {
  readonly name: string
  value: unknown
}

/** Means "no argument came through the pipe". `undefined` cannot mean that, because it is a valid value. */
const nothing = Symbol('nothing')

export interface OutputOptions {
  /** Transforms the template's literal text. */
  readonly expandText: (text: string) => string
  /** Printed where there is no value. */
  readonly noValue: string
  readonly sources: Sources
}

export class Evaluator {
  private readonly template: ParsedTemplate
  private readonly functions: FunctionTable
  private readonly budget: Budget
  private readonly output: OutputOptions
  private readonly out: string[] = []
  private printed = 0
  private variables: Variable[] = []

  constructor(template: ParsedTemplate, functions: FunctionTable, budget: Budget, output: OutputOptions) {
    this.template = template
    this.functions = functions
    this.budget = budget
    this.output = output
  }

  run(data: unknown): string {
    this.runTemplate(this.template.body, data)
    return this.out.join('')
  }

  /** A template cannot use the variables of its caller. */
  private runTemplate(nodes: readonly Node[], data: unknown): void {
    const outside = this.variables
    this.variables = [{ name: '', value: data }]
    this.budget.nested(() => this.walkList(nodes, data))
    this.variables = outside
  }

  private walkList(nodes: readonly Node[], dot: unknown): Walked {
    for (const node of nodes) {
      const walked = this.walk(node, dot)
      if (walked !== 'done') return walked
    }
    return 'done'
  }

  private walk(node: Node, dot: unknown): Walked {
    switch (node.kind) {
      case 'text':
        this.print(this.output.expandText(node.text))
        return 'done'
      case 'action': {
        const value = this.evalPipe(node.pipe, dot)
        if (node.pipe.variables.length === 0)
          this.print(isNil(value) ? this.output.noValue : printValue(value, this.budget))
        return 'done'
      }
      case 'if':
      case 'with':
        return this.scoped(() => this.walkBranches(node, dot))
      case 'range':
        return this.scoped(() => this.walkRange(node, dot))
      case 'template':
        this.callTemplate(node, dot)
        return 'done'
      default:
        return node.kind
    }
  }

  private scoped<T>(run: () => T): T {
    const known = this.variables.length
    const result = this.budget.nested(run)
    this.variables.length = known
    return result
  }

  private print(text: string): void {
    this.printed += text.length
    this.budget.spend(text.length + 1)
    if (this.printed > this.budget.limits.output) throw new TemplateError('the output is too long')
    this.out.push(text)
  }

  private walkBranches(node: Extract<Node, { kind: 'if' | 'with' }>, dot: unknown): Walked {
    for (const { pipe, body } of node.branches) {
      const value = this.evalPipe(pipe, dot)
      if (isTrue(value)) return this.walkList(body, node.kind === 'with' ? value : dot)
    }
    return node.otherwise === undefined ? 'done' : this.walkList(node.otherwise, dot)
  }

  private walkRange(node: Extract<Node, { kind: 'range' }>, dot: unknown): Walked {
    const { pipe, body } = node
    const over = this.evalCommands(pipe, dot)
    let turns = 0
    for (const [key, value] of this.entriesOf(over, pipe)) {
      turns++
      this.budget.step()
      const walked = this.scoped(() => {
        this.bindLoop(pipe, key, value)
        return this.walkList(body, value)
      })
      if (walked === 'break') break
    }
    return turns === 0 && node.otherwise !== undefined ? this.walkList(node.otherwise, dot) : 'done'
  }

  private *entriesOf(over: unknown, pipe: Pipe): Generator<[unknown, unknown]> {
    if (Array.isArray(over)) {
      for (const [i, value] of over.entries()) yield [BigInt(i), value]
    } else if (isMapping(over)) {
      yield* sortedEntries(over, this.budget)
    } else if (typeof over === 'bigint') {
      for (let i = 0n; i < over; i++) yield [i, i]
    } else if (!isNil(over)) {
      throw new TemplateError(`range can't iterate over ${printValue(over, this.budget)}`, pipe.at)
    }
  }

  /** One variable receives the value; two receive the index or key and the value. */
  private bindLoop({ variables, assigns }: Pipe, key: unknown, value: unknown): void {
    const [first, second] = variables
    if (first === undefined) return
    if (second === undefined) this.bind(first, value, assigns)
    else {
      this.bind(first, key, assigns)
      this.bind(second, value, assigns)
    }
  }

  private bind(name: string, value: unknown, assigns: boolean): void {
    if (!assigns) this.variables.push({ name, value })
    else this.variable(name).value = value
  }

  private variable(name: string): Variable {
    for (let i = this.variables.length - 1; i >= 0; i--) {
      const variable = this.variables[i] as Variable
      if (variable.name === name) return variable
    }
    throw new TemplateError(`undefined variable: $${name}`)
  }

  private callTemplate(node: Extract<Node, { kind: 'template' }>, dot: unknown): void {
    const nodes = this.template.definitions.get(node.name)
    if (nodes === undefined) throw new TemplateError(`template "${node.name}" not defined`, node.at)
    this.budget.step()
    const data = node.pipe === undefined ? undefined : this.evalPipe(node.pipe, dot)
    this.runTemplate(nodes, data)
  }

  private evalPipe(pipe: Pipe, dot: unknown): unknown {
    const value = this.evalCommands(pipe, dot)
    for (const name of pipe.variables) this.bind(name, value, pipe.assigns)
    return value
  }

  private evalCommands(pipe: Pipe, dot: unknown): unknown {
    let value: unknown = nothing
    for (const command of pipe.commands) {
      try {
        value = this.evalCommand(command, dot, value)
      } catch (error) {
        // The innermost position is reported.
        if (error instanceof TemplateError && error.at === undefined) throw new TemplateError(error.message, command.at)
        throw error
      }
    }
    return value
  }

  private evalCommand({ operands }: Command, dot: unknown, piped: unknown): unknown {
    this.budget.step()
    const [head, ...args] = operands
    if (head === undefined) throw new TemplateError('empty command')
    if (head.kind === 'function') return this.call(head.name, args, dot, piped)
    if (head.kind === 'nil') throw new TemplateError('nil is not a command')
    const value = this.resolve(head, dot)
    if (value instanceof Method) return value.call(this.evalArguments(args, dot, piped))
    if (args.length > 0 || piped !== nothing) throw new TemplateError("can't give argument to non-function")
    return value
  }

  private evalArguments(operands: readonly Operand[], dot: unknown, piped: unknown): unknown[] {
    const args = operands.map((operand) => this.evalOperand(operand, dot))
    if (piped !== nothing) args.push(piped)
    return args
  }

  private evalOperand(operand: Operand, dot: unknown): unknown {
    const value = this.resolve(operand, dot)
    return value instanceof Method ? value.call([]) : value
  }

  /** The value of an operand; a `Method` if it is a member that takes arguments. */
  private resolve(operand: Operand, dot: unknown): unknown {
    switch (operand.kind) {
      case 'dot':
        return dot
      case 'nil':
        return null
      case 'constant':
        return operand.value
      case 'field':
        return follow(dot, operand.names)
      case 'variable':
        return follow(this.variable(operand.name).value, operand.names)
      case 'function':
        return this.call(operand.name, [], dot, nothing)
      case 'pipe':
        return follow(this.evalPipe(operand.pipe, dot), operand.names)
    }
  }

  private call(name: string, operands: readonly Operand[], dot: unknown, piped: unknown): unknown {
    if (name === 'and' || name === 'or') return this.callLogic(name, operands, dot, piped)
    const fn = this.functions[name]
    if (fn === undefined) throw new TemplateError(`function "${name}" not defined`)
    const args = this.evalArguments(operands, dot, piped)
    if (args.length < fn.min || args.length > fn.max) {
      const wanted = fn.min === fn.max ? fn.min : `at least ${fn.min}`
      throw new TemplateError(`wrong number of args for ${name}: want ${wanted} got ${args.length}`)
    }
    for (const arg of args) this.budget.spend(sizeOf(arg))
    const result = fn.run(args, this.budget, this.output.sources)
    this.budget.spend(sizeOf(result))
    return result
  }

  /** Later arguments are evaluated only if the earlier ones have not decided the result. */
  private callLogic(name: 'and' | 'or', operands: readonly Operand[], dot: unknown, piped: unknown): unknown {
    let value: unknown = nothing
    for (const operand of operands) {
      value = this.evalOperand(operand, dot)
      if (isTrue(value) === (name === 'or')) return value
    }
    if (piped !== nothing) value = piped
    if (value === nothing) throw new TemplateError(`wrong number of args for ${name}: want at least 1 got 0`)
    return value
  }
}
