/**
 * Parses a template into a tree of blocks, definitions and actions. `parse-pipe.ts` parses the content of an action.
 */
import type { Node, Pipe, Place } from './ast.ts'
import { cutTemplate, type Piece } from './lexer.ts'
import { type Names, parsePipe } from './parse-pipe.ts'
import { TemplateError } from './template-problem.ts'
import { readTokens, type TokenReader } from './token-reader.ts'

export interface ParsedTemplate {
  readonly body: readonly Node[]
  /** Templates of `define` and `block`, by name. */
  readonly definitions: ReadonlyMap<string, readonly Node[]>
}

/** Maximum nesting of blocks; rendering recurses to the same depth. */
const maxDepth = 100

/** Throws `TemplateError`. */
export function parse(source: string, functionProblem: (name: string) => string | undefined): ParsedTemplate {
  const parser = new Parser(cutTemplate(source), functionProblem)
  const body = parser.parseTop()
  return { body, definitions: parser.definitions }
}

type Ending = 'end' | 'else' | 'eof'

interface Block {
  readonly nodes: Node[]
  readonly ending: Ending
  /** The `else` action, which may continue with `if` or `with`. */
  readonly rest: TokenReader | undefined
}

class Parser {
  readonly definitions = new Map<string, readonly Node[]>()
  private readonly pieces: readonly Piece[]
  private readonly names: Names
  private next = 0
  private depth = 0
  private loops = 0
  private variables: string[] = ['']

  constructor(pieces: readonly Piece[], functionProblem: (name: string) => string | undefined) {
    this.pieces = pieces
    this.names = {
      functionProblem,
      hasVariable: (name) => this.variables.includes(name),
      declare: (name) => {
        this.variables.push(name)
      },
    }
  }

  parseTop(): readonly Node[] {
    const { nodes, ending, rest } = this.parseList()
    if (ending !== 'eof') throw new TemplateError(`unexpected {{${ending}}}`, rest?.at ?? 0)
    return nodes
  }

  private parseList(): Block {
    const nodes: Node[] = []
    while (this.next < this.pieces.length) {
      const piece = this.pieces[this.next++] as Piece
      if (piece.kind === 'text') {
        nodes.push({ kind: 'text', text: piece.text })
        continue
      }
      const reader = readTokens(piece.tokens, piece.at)
      if (reader.takeWord('end')) {
        reader.end('end')
        return { nodes, ending: 'end', rest: reader }
      }
      if (reader.takeWord('else')) return { nodes, ending: 'else', rest: reader }
      const node = this.parseAction(reader)
      if (node !== undefined) nodes.push(node)
    }
    return { nodes, ending: 'eof', rest: undefined }
  }

  private parseAction(reader: TokenReader): Node | undefined {
    if (reader.takeWord('if')) return this.parseBranches('if', reader)
    if (reader.takeWord('with')) return this.parseBranches('with', reader)
    if (reader.takeWord('range')) return this.parseRange(reader)
    if (reader.takeWord('template')) return this.parseCall(reader)
    if (reader.takeWord('block')) return this.parseBlock(reader)
    if (reader.takeWord('define')) return this.parseDefinition(reader)
    if (reader.takeWord('break')) return this.parseJump('break', reader)
    if (reader.takeWord('continue')) return this.parseJump('continue', reader)
    return { kind: 'action', pipe: this.pipe(reader, 'command', 1) }
  }

  private pipe(reader: TokenReader, where: string, maxVariables: number): Pipe {
    const pipe = parsePipe(reader, this.names, where, maxVariables)
    reader.end(where)
    return pipe
  }

  /** Runs `parseInside` in a new variable scope, which ends with the block. */
  private nested<T>(at: Place, parseInside: () => T): T {
    if (++this.depth > maxDepth) throw new TemplateError('blocks nest too deep', at)
    const known = this.variables.length
    const result = parseInside()
    this.variables.length = known
    this.depth--
    return result
  }

  private closed(block: Block, opener: TokenReader, what: string): readonly Node[] {
    if (block.ending === 'eof') throw new TemplateError(`unclosed {{${what}}}`, opener.at)
    if (block.ending === 'else') throw new TemplateError(`unexpected {{else}} in ${what}`, block.rest?.at ?? opener.at)
    return block.nodes
  }

  private parseBranches(kind: 'if' | 'with', opener: TokenReader): Node {
    return this.nested(opener.at, () => {
      const branches: { pipe: Pipe; body: readonly Node[] }[] = []
      let reader = opener
      for (;;) {
        const pipe = this.pipe(reader, kind, 1)
        const block = this.nested(reader.at, () => this.parseList())
        branches.push({ pipe, body: block.nodes })
        const { rest } = block
        if (block.ending === 'eof' || rest === undefined) throw new TemplateError(`unclosed {{${kind}}}`, opener.at)
        if (block.ending === 'end') return { kind, branches, otherwise: undefined }
        if (rest.takeWord(kind)) {
          reader = rest
          continue
        }
        rest.end('else')
        const last = this.nested(rest.at, () => this.parseList())
        return { kind, branches, otherwise: this.closed(last, opener, kind) }
      }
    })
  }

  private parseRange(opener: TokenReader): Node {
    return this.nested(opener.at, () => {
      const pipe = this.pipe(opener, 'range', 2)
      this.loops++
      const block = this.nested(opener.at, () => this.parseList())
      this.loops--
      if (block.ending !== 'else') {
        return { kind: 'range', pipe, body: this.closed(block, opener, 'range'), otherwise: undefined }
      }
      block.rest?.end('else')
      const last = this.nested(opener.at, () => this.parseList())
      return { kind: 'range', pipe, body: block.nodes, otherwise: this.closed(last, opener, 'range') }
    })
  }

  private parseJump(kind: 'break' | 'continue', reader: TokenReader): Node {
    reader.end(kind)
    if (this.loops === 0) throw new TemplateError(`{{${kind}}} outside {{range}}`, reader.at)
    return { kind }
  }

  private parseName(reader: TokenReader, where: string): string {
    const token = reader.peek()
    if (token?.kind !== 'constant' || typeof token.value !== 'string') return reader.unexpected(where)
    reader.next()
    return token.value
  }

  private parseCall(reader: TokenReader): Node {
    const name = this.parseName(reader, 'template clause')
    const pipe = reader.peek() === undefined ? undefined : this.pipe(reader, 'template clause', 1)
    return { kind: 'template', name, pipe, at: reader.at }
  }

  private parseBlock(reader: TokenReader): Node {
    const name = this.parseName(reader, 'block clause')
    const pipe = this.pipe(reader, 'block clause', 1)
    this.define(name, reader, 'block')
    return { kind: 'template', name, pipe, at: reader.at }
  }

  private parseDefinition(reader: TokenReader): undefined {
    if (this.depth > 0) throw new TemplateError('unexpected {{define}}', reader.at)
    const name = this.parseName(reader, 'define clause')
    reader.end('define clause')
    this.define(name, reader, 'define')
  }

  /** A definition cannot use the variables and loops around it. */
  private define(name: string, reader: TokenReader, what: string): void {
    const { variables, loops } = this
    this.variables = ['']
    this.loops = 0
    const block = this.nested(reader.at, () => this.parseList())
    this.definitions.set(name, this.closed(block, reader, what))
    this.variables = variables
    this.loops = loops
  }
}
